import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import type { RunningProducts } from '#products/start-products.ts';
import { startTestGsp, type TestGsp } from '#products/test-gsp.ts';
import { startTestProducts } from '#products/test-products.ts';

let gsp: TestGsp;
let database: TestDatabase;
let running: RunningProducts;
beforeAll(async () => {
  [gsp, database] = await Promise.all([startTestGsp(), createTestDatabase('empty')]);
  running = await startTestProducts({ gsp: gsp.settings, databaseUrl: database.databaseUrl });
});
afterAll(async () => {
  await running.stop();
  await Promise.all([gsp.stop(), database.close()]);
});

const example = z.looseObject({ example: z.unknown().optional(), examples: z.array(z.unknown()).optional() });
const media = z.looseObject({ schema: example, example: z.unknown().optional() });
const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean().default(false),
        example: z.unknown().optional(),
      }),
    )
    .default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), media) }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), media) })),
});
const openApi = z.looseObject({
  openapi: z.literal('3.1.0'),
  servers: z.array(z.object({ url: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), example),
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.string() })),
  }),
});

async function readOpenApi(url: string) {
  const reply = await fetch(`${url}/openapi.json`);
  return openApi.parse(await reply.json());
}

/** Every example of every call, ready to send. */
async function examplesOf(url: string) {
  const document = await readOpenApi(url);
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters, requestBody, responses, operationId }]) => {
      const filled = parameters.filter(({ example }) => example !== undefined);
      const query = new URLSearchParams(
        Object.fromEntries(
          filled.filter((each) => each.in === 'query').map(({ name, example }) => [name, String(example)]),
        ),
      );
      const address = filled
        .filter((each) => each.in === 'path')
        .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
      const body = requestBody?.content['application/json'];
      const named = document.components.schemas[String(body?.schema['$ref']).split('/').at(-1) ?? ''];
      const bodies = body === undefined ? [undefined] : [body.example, ...(named?.examples ?? [])].filter(Boolean);
      const success = responses['200']?.content['application/json'];
      const schema = document.components.schemas[String(success?.schema['$ref']).split('/').at(-1) ?? ''];
      const responseExample = schema?.examples?.[0];
      return bodies.map((payload, index) => ({
        name: `${operationId} ${index}`,
        url: `${url}${address}${query.size > 0 ? `?${query.toString()}` : ''}`,
        method: method.toUpperCase(),
        headers: Object.fromEntries(
          filled
            .filter((each) => each.in === 'header' && each.required)
            .map(({ name, example }) => [name, String(example)]),
        ),
        payload,
        responseExample: index === 0 ? responseExample : undefined,
      }));
    }),
  );
}

test('every example of the references works and gets the documented response', async () => {
  const examples = [...(await examplesOf(running.taxLookupUrl)), ...(await examplesOf(running.invoicingUrl))];
  expect(examples.map(({ name }) => name)).toEqual([
    'checkGstin 0',
    'checkGstins 0',
    'findTaxpayer 0',
    'findRates 0',
    'searchCodes 0',
    'listStates 0',
    'findPin 0',
    'decidePlaceOfSupply 0',
    'computeInvoice 0',
    'computeInvoice 1',
    'computeInvoice 2',
    'computeInvoice 3',
    'printInvoice 0',
    'prepareEInvoice 0',
    'registerEInvoice 0',
    'findEInvoice 0',
    'cancelEInvoice 0',
    'prepareEWayBill 0',
    'giveNumber 0',
    'lastNumber 0',
  ]);
  for (const { name, url, method, headers, payload, responseExample } of examples) {
    const reply = await fetch(url, {
      method,
      headers: { ...headers, ...(payload === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
    });
    expect({ name, shown: responseExample !== undefined }).toEqual({
      name,
      shown: name.endsWith(' 0') && !name.startsWith('print'),
    });
    const body: unknown = name.startsWith('print') ? await reply.blob() : await reply.json();
    expect({ name, status: reply.status, body }).toMatchObject({ name, status: 200 });
    // The reference shortens the list of states; live systems return what they know, with their own times.
    expect({ name, body }).toMatchObject(
      /^(?:listStates|findTaxpayer|print|(?:register|find|cancel)EInvoice)/.test(name)
        ? { name }
        : { name, body: responseExample ?? {} },
    );
  }
});

test('the references have the gateway, the key and every error of the API, and no unused schema', async () => {
  for (const [url, path] of [
    [running.taxLookupUrl, 'tax-lookup'],
    [running.invoicingUrl, 'gst-invoicing'],
  ] as const) {
    const document = await readOpenApi(url);
    expect(document.servers[0]?.url).toBe(`http://localhost:4100/${path}`);
    expect(document.components.securitySchemes).toHaveProperty('apiKey', expect.objectContaining({ in: 'header' }));
    for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
      const statuses = ['200', '400', '422', '500', '502', '503', '504'];
      const ofBody = operation.requestBody === undefined ? [] : ['413', '415'];
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining([...statuses, ...ofBody]));
    }
    const text = JSON.stringify(document);
    for (const name of Object.keys(document.components.schemas)) {
      expect(text).toContain(`"#/components/schemas/${name}"`);
    }
    expect(Object.keys(document.components.schemas)).toContain('Problem');
  }
});
