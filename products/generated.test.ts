import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '#database/test-database.ts';
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
import { type Hints, jsonSchema, valuesOf } from '#products/test-schemas.ts';

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
    createInvoicing({ ...common, registrar: createRegistrar(client), store }),
  ]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await store.close();
  await Promise.all([database.close(), gsp.stop()]);
});

const content = z.record(z.string(), z.looseObject({ schema: jsonSchema }));
const operation = z.looseObject({
  operationId: z.string(),
  parameters: z
    .array(
      z.looseObject({
        name: z.string(),
        in: z.enum(['path', 'query', 'header']),
        required: z.boolean().default(false),
        schema: jsonSchema,
        example: z.unknown().optional(),
      }),
    )
    .default([]),
  requestBody: z.looseObject({ content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content })),
});
const reference = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), jsonSchema) }),
});

const gstins = [
  '27ZZZCA0001A1Z4',
  '29ZZZCA0001A1Z0',
  '26ZZZCA0001A1Z6',
  '97ZZZCA0001A1ZX',
  '27ZZZPA0002B1ZA',
  '07ZZZCA0001A1Z6',
  '9917SGP29001OST',
];
const gstin = fc.constantFrom(...gstins);
const address = { line1: '14 Residency Road', city: 'Bengaluru', pin: '560025' };
const day = fc.constantFrom('2026-11-02', '2026-11-21', '2026-04-01');
/** What stands in these fields is checked by more than their schema, so that chance alone never gets past the check. */
const hints: Hints = {
  gstin,
  'gstins[]': gstin,
  hsn: fc.constantFrom('998319', '61091000', '8471', '84713010'),
  code: fc.constantFrom('6403', '998313', '8471', '99', '24022010'),
  stateCode: fc.constantFrom('27', '29', '26', '97', '25', '96'),
  date: day,
  on: fc.constantFrom('2026-11-02', '2025-09-21'),
  pin: fc.constantFrom('400053', '560025', '533464', '999999'),
  placeOfSupply: fc.constantFrom(undefined, undefined, '29'),
  supplier: fc.constantFrom('27ZZZCA0001A1Z4', '26ZZZCA0001A1Z6').map((gstin) => ({ gstin, name: 'Sample', address })),
  document: fc
    .tuple(fc.constantFrom('INV', 'INV', 'CRN', 'DBN'), fc.stringMatching(/^[A-Z1-9][A-Z0-9/-]{0,12}$/), day)
    .map(([type, number, date]) => ({
      type,
      number: `${number}x`,
      date,
      ...(type === 'INV' ? {} : { original: { number, date: '2026-04-01' } }),
    })),
  recipient: fc.constantFrom(
    { gstin: '29ZZZCA0001A1Z0', name: 'Kaveri Sample Traders', address },
    { gstin: '27ZZZPA0002B1ZA', sez: true, name: 'Asha Sample', address },
    { stateCode: '33', name: 'A consumer', address },
    { overseas: true, name: 'Sample Inc.', address: { line1: '1 Main Street', city: 'Boston', country: 'US' } },
  ),
  transport: fc.constantFrom(
    { mode: 'road', distanceKm: 980, vehicleNumber: 'MH01AB1234' },
    { mode: 'rail', distanceKm: 10, documentNumber: 'RR1', documentDate: '2026-11-02', overDimensional: true },
  ),
  supplierState: fc.constantFrom('27', '26', '97'),
  recipientState: fc.constantFrom(undefined, '33', '26'),
  recipientGstin: fc.constantFrom(undefined, undefined, '29ZZZCA0001A1Z0'),
  overseas: fc.constantFrom(false, undefined),
  sez: fc.constantFrom(false, undefined),
  amount: fc.constantFrom(0, 1499, 0.05),
  gstRate: fc.constantFrom(0.25, 5, 18),
};
const readable: Hints = {
  // Prices with the few digits that prices have.
  unitPrice: fc.integer({ min: 0, max: 10_000_000 }).map((paise) => paise / 100),
  discount: fc.constant(0),
  startAt: fc.integer({ min: 1, max: 9 }),
  digits: fc.constantFrom(1, 4, 6),
  quantity: fc.integer({ min: 1, max: 5000 }).map((thousandths) => thousandths / 1000),
};

const isJson = (type: string) => /^application\/(?:problem\+)?json/.test(type);

/** One call for each operation, as arbitrary requests. */
function requestsOf(
  path: string,
  { parameters, requestBody }: z.output<typeof operation>,
  all: Record<string, object>,
  slips: number,
) {
  const schemas = z.record(z.string(), jsonSchema).parse(all);
  const use = slips < 0.1 ? { ...hints, ...readable } : hints;
  const fields = parameters.map((parameter) => {
    const value = valuesOf({ ...parameter.schema, example: parameter.example }, schemas, use, slips);
    const given = value.map((each) =>
      each === undefined ? undefined : typeof each === 'object' ? JSON.stringify(each) : String(each),
    );
    const needed = parameter.in === 'path' || (parameter.required && slips === 0);
    return { parameter, given: needed ? given : fc.option(given, { nil: undefined }) };
  });
  const values = fc.tuple(...fields.map(({ given }) => given));
  const body = requestBody?.content['application/json'];
  const payload = body === undefined ? fc.constant(undefined) : valuesOf(body.schema, schemas, use, slips);
  return fc.tuple(values, payload).map(([given, payload]) => {
    const of = (where: string) =>
      fields.flatMap(({ parameter }, index): [string, string][] => {
        const value = given[index];
        return parameter.in === where && value !== undefined ? [[parameter.name, value]] : [];
      });
    const filled = of('path').reduce((text, [name, value]) => text.replace(`{${name}}`, () => pathStep(value)), path);
    const query = of('query').map(([name, value]) => `${safe(name)}=${safe(value)}`);
    // A header field holds visible ASCII; nothing else ever leaves a client.
    const headers = of('header').map(([name, value]) => [name, value.replaceAll(/[^\x20-\x7e]/g, '?')] as const);
    return {
      url: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
      headers: Object.fromEntries(headers),
      payload: payload === undefined ? undefined : JSON.stringify(payload),
    };
  });
}

const safe = (text: string) => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?')) || '%20';

/** A step of dots would be another address. */
const pathStep = (text: string) => (/^\.{1,2}$/.test(text) ? '-' : safe(text));

/** Printing takes long, and calls that leave the house cost a round trip: of those fewer do. */
const runsOf = (operationId: string) =>
  /^print/.test(operationId)
    ? 25
    : /^(?:find(?:Taxpayer|EInvoice)|registerEInvoice|cancelEInvoice|giveNumber|lastNumber)$/.test(operationId)
      ? 50
      : 75;

test.each([
  ['valid', 0],
  ['nearly valid', 0.01],
  ['wrong', 0.4],
])('%s requests, made from the references, get only documented answers and no failure of ours', async (_, slips) => {
  const counts = new Map<string, number>();
  const operationIds: string[] = [];
  for (const server of servers) {
    const document: unknown = (await server.inject('/openapi.json')).json();
    const { paths, components } = reference.parse(document);
    const ajv = new Ajv2020({ strict: false, validateFormats: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'reference', ...z.looseObject({}).parse(document) });
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, each] of Object.entries(operations)) {
        operationIds.push(each.operationId);
        const pointer = (status: number, type: string) =>
          ['', 'paths', path, method, 'responses', String(status), 'content', type, 'schema']
            .map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
            .join('/');
        await fc.assert(
          fc.asyncProperty(requestsOf(path, each, components.schemas, slips), async ({ url, headers, payload }) => {
            const reply = await server.inject({
              method: method === 'post' ? 'POST' : 'GET',
              url,
              headers: { ...headers, ...(payload === undefined ? {} : { 'content-type': 'application/json' }) },
              ...(payload === undefined ? {} : { payload }),
            });
            const status = reply.statusCode;
            const told = { operation: each.operationId, url, status, body: reply.body.slice(0, 500) };
            expect(status, JSON.stringify(told)).toBeLessThan(500);
            const type = String(reply.headers['content-type']).split(';', 1)[0] ?? '';
            const documented = each.responses[String(status)]?.content ?? {};
            expect(Object.keys(documented), JSON.stringify(told)).toContain(type);
            if (isJson(type)) {
              const validate = ajv.getSchema(`reference#${pointer(status, type)}`);
              const body: unknown = reply.json();
              expect(validate?.(body), JSON.stringify({ told, faults: validate?.errors })).toBe(true);
            }
            const count = `${each.operationId} ${status < 300 ? 'good' : 'refused'}`;
            counts.set(count, (counts.get(count) ?? 0) + 1);
          }),
          { numRuns: runsOf(each.operationId) },
        );
      }
    }
  }
  // A generator that never gets past the checks would show nothing.
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  expect(total).toBeGreaterThan(900);
  if (slips === 0) {
    const answered = [...counts].filter(([name]) => name.endsWith('good')).map(([name]) => name.split(' ')[0]);
    // A made-up IRN is registered nowhere; all other calls succeed.
    expect(answered.toSorted()).toEqual(operationIds.filter((id) => !/^(?:find|cancel)EInvoice$/.test(id)).toSorted());
  } else expect([...counts].some(([name]) => name.endsWith('refused'))).toBe(true);
});
