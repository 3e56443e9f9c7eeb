import * as fc from 'fast-check';
import { z } from 'zod';
import { type Hints, jsonSchema, valuesOf } from '#products/test-schemas.ts';

const content = z.record(z.string(), z.looseObject({ schema: jsonSchema }));
export const operation = z.looseObject({
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
/** The parts of an OpenAPI document that a generated request needs. */
export const reference = z.looseObject({
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
/** Fields with checks beyond their schema, whose values random generation would never get right. */
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
  supplier: fc
    .constantFrom({ gstin: '27ZZZCA0001A1Z4', pin: '400053' }, { gstin: '26ZZZCA0001A1Z6', pin: '396210' })
    .map(({ gstin, pin }) => ({ gstin, name: 'Sample', address: { ...address, pin } })),
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
    { gstin: '27ZZZPA0002B1ZA', sez: true, name: 'Asha Sample', address: { ...address, pin: '400096' } },
    { stateCode: '33', name: 'A consumer', address: { ...address, pin: '600001' } },
    { overseas: true, name: 'Sample Inc.', address: { line1: '1 Main Street', city: 'Boston', country: 'US' } },
  ),
  shipTo: fc.constantFrom(
    undefined,
    { stateCode: '29', address },
    { stateCode: '33', gstin: '33ZZZCA0001A1ZB', address },
  ),
  transport: fc.constantFrom(
    { mode: 'road', distanceKm: 980, vehicleNumber: 'MH01AB1234' },
    { mode: 'road', distanceKm: 10, transporterId: '27ZZZFA0003C2ZR', overDimensional: true },
    { mode: 'rail', distanceKm: 10, documentNumber: 'FSBC123456789', documentDate: '2026-11-21' },
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
  // Prices with realistic digits.
  unitPrice: fc.integer({ min: 0, max: 10_000_000 }).map((paise) => paise / 100),
  discount: fc.constant(0),
  startAt: fc.integer({ min: 1, max: 9 }),
  digits: fc.constantFrom(1, 4, 6),
  quantity: fc.integer({ min: 1, max: 5000 }).map((thousandths) => thousandths / 1000),
};

/** Generated requests to one operation; `slips` is the share of places (0 to 1) with a wrong value. */
export function requestsOf(
  path: string,
  { parameters, requestBody }: z.output<typeof operation>,
  all: Record<string, object>,
  slips: number,
) {
  const schemas = z.record(z.string(), jsonSchema).parse(all);
  const use = slips < 0.1 ? { ...hints, ...readable } : hints;
  const fields = parameters.map((parameter) => {
    const value = valuesOf({ ...parameter.schema, example: parameter.example }, schemas, use, slips, parameter.name);
    const given = value.map((each) =>
      each === undefined ? undefined : typeof each === 'string' ? each : JSON.stringify(each),
    );
    const needed = parameter.in === 'path' || (parameter.required && slips === 0);
    return { parameter, given: needed ? given : maybe(given, parameter.name) };
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
    // A header field contains visible ASCII; a client can send nothing else.
    const headers = of('header').map(([name, value]) => [name, value.replaceAll(/[^\x20-\x7e]/g, '?')] as const);
    return {
      url: query.length === 0 ? filled : `${filled}?${query.join('&')}`,
      headers: Object.fromEntries(headers),
      payload: payload === undefined ? undefined : JSON.stringify(payload),
    };
  });
}

/** An optional key costs nine round trips to the database, by the same code for all: one call in five has it. */
const maybe = <Value>(given: fc.Arbitrary<Value>, name: string) =>
  name === 'idempotency-key'
    ? fc.oneof({ arbitrary: fc.constant(undefined), weight: 4 }, { arbitrary: given, weight: 1 })
    : fc.option(given, { nil: undefined });

const safe = (text: string) => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?')) || '%20';

/** A segment of dots would change the path. */
const pathStep = (text: string) => (/^\.{1,2}$/.test(text) ? '-' : safe(text));
