import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { testRenderer } from '#shared/paper/test-renderer.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { createGsp } from '#products/gsp/gsp.ts';
import { createInvoicing } from '#products/invoicing/app.ts';
import { createRegistrar } from '#products/invoicing/registrar.ts';
import { openStore, type Store } from '#products/store/store.ts';
import { createTaxLookup } from '#products/tax-lookup/app.ts';
import { noOfficialList } from '#products/tax-lookup/official-list.ts';
import { readRateTable } from '#products/tax-lookup/rate-files.ts';
import { createTaxpayerSearch } from '#products/tax-lookup/taxpayer-search.ts';
import { startTestGsp, type TestGsp } from '#products/test-gsp.ts';
import { quietLog, ratesFolder, testNow } from '#products/test-products.ts';
import { type operation, reference, requestsOf } from '#products/test-requests.ts';

let gsp: TestGsp;
let database: TestDatabase;
let store: Store;
let servers: ProductServer[];

beforeAll(async () => {
  [gsp, database] = await Promise.all([startTestGsp(), createTestDatabase('empty')]);
  store = openStore(database.databaseUrl, () => undefined);
  const client = createGsp(gsp.settings, testNow);
  const common = { gatewayUrl: 'http://localhost:4100', now: testNow, log: quietLog };
  servers = await Promise.all([
    createTaxLookup({
      ...common,
      table: readRateTable(ratesFolder),
      official: noOfficialList,
      search: createTaxpayerSearch(client, testNow),
    }),
    createInvoicing({ ...common, registrar: createRegistrar(client), store, renderer: testRenderer() }),
  ]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await store.close();
  await Promise.all([database.close(), gsp.stop()]);
});

type Operation = z.output<typeof operation>;
type Reply = Awaited<ReturnType<ProductServer['inject']>>;

/** PDFs take long, and calls to external systems cost a round trip, so fewer of those are sent. */
const runsOf = (operationId: string) =>
  operationId.startsWith('print')
    ? 25
    : /^(?:find(?:Taxpayer|EInvoice)|registerEInvoice|cancelEInvoice|giveNumber|lastNumber)$/.test(operationId)
      ? 50
      : 75;

/** How a response violates the reference; null when it does not. */
function faultOf(ajv: Ajv2020, path: string, method: string, { responses }: Operation, reply: Reply): string | null {
  const { statusCode, body } = reply;
  const type = String(reply.headers['content-type']).split(';', 1)[0] ?? '';
  const told = `${statusCode} ${type} ${body.slice(0, 500)}`;
  if (statusCode >= 500) return `failed: ${told}`;
  if (responses[String(statusCode)]?.content[type] === undefined) return `undocumented: ${told}`;
  if (type === 'application/pdf') return body.startsWith('%PDF-') ? null : `no PDF: ${told}`;
  const pointer = ['', 'paths', path, method, 'responses', String(statusCode), 'content', type, 'schema']
    .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const validate = ajv.getSchema(`reference#${pointer}`);
  if (validate === undefined) return `no schema at ${pointer}`;
  return validate(reply.json()) ? null : `${JSON.stringify(validate.errors)}: ${told}`;
}

test.each([
  ['valid', 0],
  ['nearly valid', 0.01],
  ['wrong', 0.4],
])(
  '%s requests, generated from the references, get only documented responses and no internal error',
  async (_, slips) => {
    const good = new Set<string>();
    const refused = new Set<string>();
    let total = 0;
    const checkServer = async (server: ProductServer) => {
      const document: unknown = (await server.inject('/openapi.json')).json();
      const { paths, components } = reference.parse(document);
      const ajv = new Ajv2020({ strict: false });
      addFormats.default(ajv);
      ajv.addSchema({ $id: 'reference', ...z.looseObject({}).parse(document) });
      for (const [path, operations] of Object.entries(paths)) {
        for (const [method, each] of Object.entries(operations)) {
          await fc.assert(
            fc.asyncProperty(requestsOf(path, each, components.schemas, slips), async ({ url, headers, payload }) => {
              const json = payload === undefined ? {} : { 'content-type': 'application/json' };
              const reply = await server.inject({
                method: method === 'post' ? 'POST' : 'GET',
                url,
                headers: { ...headers, ...json },
                ...(payload === undefined ? {} : { payload }),
              });
              expect(faultOf(ajv, path, method, each, reply)).toBeNull();
              (reply.statusCode < 300 ? good : refused).add(each.operationId);
              total += 1;
            }),
            { numRuns: runsOf(each.operationId) },
          );
        }
      }
    };
    // In parallel: many calls wait for a database, a worker or another server.
    await Promise.all(servers.map(checkServer));
    expect(total).toBeGreaterThan(900);
    // If every request failed validation, or none did, the test would prove nothing.
    const all = [...good, ...refused].filter((id) => !/^(?:find|cancel)EInvoice$/.test(id));
    expect(slips > 0 ? [] : all.filter((id) => !good.has(id))).toEqual([]);
    expect(refused.size).toBeGreaterThan(slips === 0.4 ? 15 : 5);
  },
);

test('bodies that are not JSON, too large or of another type, and malformed addresses, are refused as documented', async () => {
  for (const [server, url] of [
    [servers[0], '/v1/gstin/validate'],
    [servers[1], '/v1/invoices/compute'],
  ] as const) {
    const send = async (payload: string, type = 'application/json') =>
      (await server?.inject({ method: 'POST', url, payload, headers: { 'content-type': type } }))?.statusCode;
    expect(await send('{"gstins":')).toBe(400);
    expect(await send('')).toBe(400);
    expect(await send('{}', 'text/plain')).toBe(415);
    expect(await send(`{"x":"${'x'.repeat(1_000_001)}"}`)).toBe(413);
    expect(await send('{"__proto__":{"x":1}}')).toBe(400);
    const unreadable = await server?.inject(`${url}/%E0%A4%A`);
    expect([unreadable?.statusCode, unreadable?.headers['content-type']]).toEqual([
      400,
      expect.stringContaining('application/problem+json'),
    ]);
  }
});
