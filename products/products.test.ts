import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { placeOfSupplyCandidates } from '#shared/domain/states.ts';
import type { RunningProducts } from '#products/start-products.ts';
import { startTestProducts } from '#products/test-products.ts';

let running: RunningProducts;
beforeAll(async () => {
  running = await startTestProducts();
});
afterAll(() => running.stop());

async function send(url: string, method: string, payload: unknown): Promise<{ status: number; body: unknown }> {
  const reply = await fetch(url, {
    method,
    ...(payload === undefined
      ? {}
      : { body: JSON.stringify(payload), headers: { 'content-type': 'application/json' } }),
  });
  return { status: reply.status, body: await reply.json() };
}

const safe = (text: string) => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'));
const paiseOf = (rupees = 0) => Math.round(rupees * 100);

const gstin = fc.oneof(
  fc.constantFrom('27ZZZCA0001A1Z4', '29ZZZCA0001A1Z0', '26ZZZCA0001A1Z6', '27ZZZPA0002B1ZA', '9917SGP29001OST'),
  fc.string({ maxLength: 20 }),
);
const money = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000_000 }).map((paise) => paise / 100),
  fc.double(),
  fc.constantFrom(0, -0, 1e10, 1e21, 0.005),
);
const mostly = <Value>(value: fc.Arbitrary<Value>) =>
  fc.oneof({ arbitrary: value, weight: 12 }, { arbitrary: fc.jsonValue(), weight: 1 });
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const invoice = fc.record({
  supplier: mostly(fc.record({ gstin })),
  recipient: mostly(
    fc.record({
      gstin: optional(gstin),
      stateCode: optional(
        fc.constantFrom('', '25', '28', '96', '99', ...placeOfSupplyCandidates().map(({ code }) => code)),
      ),
      overseas: optional(fc.boolean()),
      sez: optional(fc.boolean()),
    }),
  ),
  underLut: optional(fc.boolean()),
  priceIncludesTax: optional(fc.boolean()),
  roundToRupee: optional(fc.boolean()),
  document: mostly(
    fc.record({
      number: fc.oneof(fc.constantFrom('A1', '0', 'TPX/26-27/000001'), fc.string()),
      date: fc.oneof(fc.constantFrom('2026-11-21', '2017-07-01', '2026-02-30'), fc.string()),
    }),
  ),
  items: mostly(
    fc.array(
      mostly(
        fc.record({
          description: fc.oneof(fc.constant('Thing'), fc.string()),
          hsn: fc.constantFrom('9983', '998319', '84713010', '1'),
          quantity: optional(fc.oneof(money, fc.integer({ min: 1, max: 99 }))),
          unit: optional(fc.constantFrom('NOS', 'OTH', '?')),
          unitPrice: money,
          discount: optional(fc.oneof(money, fc.constant(0))),
          gstRate: fc.constantFrom(0, 0.25, 18, 28, 40, 17),
        }),
      ),
      { maxLength: 5 },
    ),
  ),
});

const computedInvoice = z.object({
  totals: z.object({ taxableValue: z.number(), tax: z.number(), roundOff: z.number(), total: z.number() }),
  lines: z.array(z.object({ grossValue: z.number(), total: z.number() })),
});

test('no generated invoice causes an internal error', async () => {
  await fc.assert(
    fc.asyncProperty(mostly(invoice), async (payload) => {
      const { status } = await send(`${running.invoicingUrl}/v1/invoices/compute`, 'POST', payload);
      // 400: a body with a key such as __proto__ is refused when it is parsed.
      expect([200, 400, 422]).toContain(status);
    }),
    { numRuns: 600 },
  );
});

const paise = fc.integer({ min: 0, max: 10_000_000 });
const soundInvoice = fc.record({
  supplier: fc.constant({ gstin: '27ZZZCA0001A1Z4' }),
  recipient: fc.constantFrom(
    { stateCode: '27' },
    { stateCode: '33' },
    { gstin: '26ZZZCA0001A1Z6' },
    { overseas: true },
  ),
  document: fc.constant({ number: 'A1', date: '2026-11-21' }),
  underLut: fc.boolean(),
  priceIncludesTax: fc.boolean(),
  items: fc.array(
    fc.record({
      description: fc.constant('Thing'),
      hsn: fc.constantFrom('998319', '84713010'),
      quantity: fc.integer({ min: 1000, max: 1_000_000 }).map((thousandths) => thousandths / 1000),
      unitPrice: paise.map((each) => each / 100),
      gstRate: fc.constantFrom(0, 0.25, 1.5, 3, 5, 12, 18, 28, 40),
    }),
    { minLength: 1, maxLength: 20 },
  ),
});

test('every valid invoice is computed, and adds up to the paisa, per line and in total', async () => {
  await fc.assert(
    fc.asyncProperty(soundInvoice, async (payload) => {
      const { status, body } = await send(`${running.invoicingUrl}/v1/invoices/compute`, 'POST', payload);
      expect(status).toBe(200);
      const { totals, lines } = computedInvoice.parse(body);
      expect(paiseOf(totals.taxableValue) + paiseOf(totals.tax) + paiseOf(totals.roundOff)).toBe(paiseOf(totals.total));
      expect(lines.reduce((sum, line) => sum + paiseOf(line.total), 0) + paiseOf(totals.roundOff)).toBe(
        paiseOf(totals.total),
      );
      const prices = lines.reduce((sum, line) => sum + paiseOf(line.grossValue), 0);
      expect(paiseOf(payload.priceIncludesTax ? totals.total : totals.taxableValue)).toBe(prices);
    }),
    { numRuns: 300 },
  );
});

test('no generated query causes an internal error', async () => {
  const text = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.string({ unit: 'binary', maxLength: 15 }),
    fc.constantFrom('8471', '27'),
  );
  const paths = fc.oneof(
    text.map((value) => `/v1/gstin/${safe(value)}`),
    fc.tuple(text, text).map(([code, on]) => `/v1/hsn/${safe(code)}?on=${safe(on)}`),
    fc.tuple(text, text).map(([search, limit]) => `/v1/hsn?search=${safe(search)}&limit=${safe(limit)}`),
    fc
      .tuple(text, text, text)
      .map(
        ([one, two, sez]) =>
          `/v1/place-of-supply?supplierState=${safe(one)}&recipientState=${safe(two)}&sez=${safe(sez)}`,
      ),
    fc.webPath(),
  );
  await fc.assert(
    fc.asyncProperty(paths, async (path) => {
      const reply = await fetch(new URL(running.taxLookupUrl + path));
      await reply.text();
      expect(reply.status).toBeLessThan(500);
    }),
    { numRuns: 600 },
  );
});

test.each([
  ['{bad', 'application/json', 400],
  ['gstins=x', 'application/x-www-form-urlencoded', 415],
  ['', 'application/json', 400],
  ['{"__proto__":{"x":1},"gstins":["x"]}', 'application/json', 400],
  [`{"gstins":["${'x'.repeat(1_100_000)}"]}`, 'application/json', 413],
])('a body that cannot be parsed is refused with a message', async (body, type, status) => {
  const reply = await fetch(`${running.taxLookupUrl}/v1/gstin/validate`, {
    method: 'POST',
    body,
    headers: { 'content-type': type },
  });
  expect(reply.status).toBe(status);
  expect(reply.headers.get('content-type')).toContain('application/problem+json');
  expect(await reply.json()).toHaveProperty('message', expect.stringMatching(/\w{4}/));
});

test('a field of the wrong type, and a missing body, are reported clearly', async () => {
  const compute = `${running.invoicingUrl}/v1/invoices/compute`;
  expect((await send(compute, 'POST', { supplier: 'x', recipient: {}, document: {}, items: 5 })).body).toMatchObject({
    message: '/supplier: This must be of type object, not string. (and 3 more, see errors)',
    errors: [
      { pointer: '/supplier' },
      { pointer: '/document/number', message: 'This field is required.' },
      { pointer: '/document/date', message: 'This field is required.' },
      { pointer: '/items', message: 'This must be of type array, not number.' },
    ],
  });
  expect((await send(compute, 'POST', undefined)).body).toMatchObject({ message: 'the body: Send a JSON object.' });
});
