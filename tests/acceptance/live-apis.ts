import { request } from 'undici';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import type { Gateway } from '#gateway/gateway.ts';
import {
  createCustomer,
  type Customer,
  openHarness,
  startTestGateway,
  type Harness,
  type TestGatewayOptions,
} from '#gateway/test/world.ts';
import { startTestGsp } from '#products/test-gsp.ts';
import { startTestProducts } from '#products/test-products.ts';
import { type ApiDocument, apiDocument, createResponseValidator, type LiveResponse } from './response-validator.ts';

/** An API as customers see it: its public document, and a validator of live responses. */
export interface Api {
  document: ApiDocument;
  faults: ReturnType<typeof createResponseValidator>;
  /** Of the gateway. */
  url: string;
  customer: Customer;
}

/** Our own APIs behind a gateway, with a customer of each. */
export interface LiveApis {
  harness: Harness;
  gateway: Gateway;
  lookUp: Customer;
  invoicing: Customer;
  readApi: (path: string, customer: Customer) => Promise<Api>;
  /** Tax Lookup and Invoicing. */
  apis: () => Promise<[Api, Api]>;
  /** Starts another gateway; `folder` keeps its journal apart. */
  startApis: (folder: string, options: TestGatewayOptions) => Promise<Gateway>;
}

/** Starts the APIs for the tests of a file. */
export function useLiveApis(): () => LiveApis {
  let world: LiveApis | undefined;
  const closing: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const [gsp, harness] = await Promise.all([startTestGsp(), openHarness()]);
    const { databaseUrl } = harness.database;
    const products = await startTestProducts({ gsp: gsp.settings, databaseUrl });
    const upstreams = new Map([
      ['tax-lookup-api', products.taxLookupUrl],
      ['invoicing-system', products.invoicingUrl],
    ]);
    const startApis = (folder: string, options: TestGatewayOptions) =>
      startTestGateway({ ...harness.setup, dataDir: `${harness.setup.dataDir}/${folder}` }, { upstreams, ...options });
    const gateway = await startApis('apis', {});
    const { pool } = harness.database;
    const [lookUp, invoicing] = await Promise.all([
      createCustomer(pool),
      createCustomer(pool, { service: 'invoicing-system' }),
    ]);
    const readApi = async (path: string, customer: Customer): Promise<Api> => {
      const { body } = await request(`${gateway.url}${path}/openapi.json`);
      const document = apiDocument.parse(await body.json());
      return { document, faults: createResponseValidator(document), url: gateway.url + path, customer };
    };
    const apis = () => Promise.all([readApi('/tax-lookup', lookUp), readApi('/gst-invoicing', invoicing)]);
    world = { harness, gateway, lookUp, invoicing, readApi, apis, startApis };
    closing.push(gateway.close, products.stop, harness.close, gsp.stop);
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });
  return () => {
    if (world === undefined) throw new Error('the APIs have not started yet');
    return world;
  };
}

const problem = z.looseObject({
  detail: z.string().min(1),
  message: z.string(),
  code: z.string().regex(/^[a-z]+(?:-[a-z]+)*$/),
  status: z.number(),
  requestId: z.string(),
});

/** A response that is as the document says, with the code of its problem. */
export interface CheckedResponse extends LiveResponse {
  code: string | undefined;
}

/** Checks a response to a call of an operation, and returns it. */
export function checked(api: Api, path: string, method: string, response: LiveResponse): CheckedResponse {
  const { status, headers, body } = response;
  const faults = api.faults(path, method, response);
  const told = { call: `${method} ${path}`, status, body: body.slice(0, 300) };
  expect({ ...told, faults }).toEqual({ ...told, faults: [] });
  if (status < 400) return { ...response, code: undefined };
  const { detail, code, ...rest } = problem.parse(JSON.parse(body));
  expect(rest).toMatchObject({ status, message: detail, requestId: headers['x-request-id'] });
  return { ...response, code };
}

/** A request besides its address. */
export interface Sent {
  method: string;
  headers?: Record<string, string>;
  body?: string | undefined;
}

export async function send(url: string, { method, headers = {}, body }: Sent): Promise<LiveResponse> {
  const response = await request(url, { method: method.toUpperCase(), headers, body: body ?? null });
  const named = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return { status: response.statusCode, headers: Object.fromEntries(named), body: await response.body.text() };
}

const parameter = z.looseObject({ in: z.string(), name: z.string(), example: z.unknown().optional() });
const jsonBody = z.looseObject({
  schema: z.looseObject({ $ref: z.string().optional() }),
  example: z.unknown().optional(),
});

/** The examples of an operation as a call. */
export function exampleOf({ document, url }: Api, path: string, method: string): Sent & { url: string } {
  const described = document.paths[path]?.[method];
  const filled = (described?.parameters ?? [])
    .map((each) => parameter.parse(each))
    .filter((each) => each.example !== undefined);
  const of = (place: string) => filled.filter((each) => each.in === place);
  const query = new URLSearchParams(of('query').map(({ name, example }): [string, string] => [name, String(example)]));
  const address = of('path').reduce((shown, { name, example }) => shown.replace(`{${name}}`, String(example)), path);
  const media = described?.requestBody?.content['application/json'];
  const body = media && jsonBody.parse(media);
  const schema = document.components.schemas[body?.schema.$ref?.split('/').at(-1) ?? ''];
  return {
    url: `${url}${address}${query.size > 0 ? `?${query.toString()}` : ''}`,
    method,
    headers: {
      ...Object.fromEntries(of('header').map(({ name, example }) => [name, String(example)])),
      ...(media && { 'content-type': 'application/json' }),
    },
    body: media && JSON.stringify(body?.example ?? schema?.examples[0]),
  };
}

export function withKey(sent: Sent, key: string): Sent {
  return { ...sent, headers: { ...sent.headers, 'x-api-key': key } };
}
