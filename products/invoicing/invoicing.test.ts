import { afterAll, beforeAll, expect, test } from 'vitest';
import { testRenderer } from '#shared/paper/test-renderer.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { createInvoicing } from '#products/invoicing/app.ts';
import { quietLog, testNow } from '#products/test-products.ts';

const parts = {
  gatewayUrl: 'http://localhost:4100',
  registrar: undefined,
  store: undefined,
  renderer: testRenderer(),
  log: quietLog,
};
let server: ProductServer;
beforeAll(async () => {
  server = await createInvoicing({ ...parts, now: testNow });
});
afterAll(() => server.close());

const maharashtra = '27ZZZCA0001A1Z4';
const karnataka = '29ZZZCA0001A1Z0';
const item = { description: 'API access', hsn: '998319', unitPrice: 999, gstRate: 18 };
const good = {
  supplier: { gstin: maharashtra },
  recipient: { stateCode: '27' },
  document: { number: 'TPX/26-27/000001', date: '2026-11-02' },
  items: [item],
};

async function compute(change: object): Promise<{ status: number; body: unknown }> {
  const payload = { ...good, ...change };
  const reply = await server.inject({ method: 'POST', url: '/v1/invoices/compute', payload });
  return { status: reply.statusCode, body: reply.json() };
}

const intra = { recipient: { stateCode: '27' } };
const inter = { recipient: { gstin: karnataka } };
const inclusive = { priceIncludesTax: true };

const vectors: [string, object, number, number, [number, number, number, number, number, number]][] = [
  ['999 at 18 % in the State', intra, 999, 18, [999, 89.91, 89.91, 0, 0, 1178.82]],
  ['999 at 18 % between States', inter, 999, 18, [999, 0, 0, 179.82, 0, 1178.82]],
  ['9,999 at 18 % in the State', intra, 9999, 18, [9999, 899.91, 899.91, 0, 0, 11798.82]],
  ['0.05 at 18 % in the State', intra, 0.05, 18, [0.05, 0, 0, 0, 0, 0.05]],
  ['0.05 at 18 % between States', inter, 0.05, 18, [0.05, 0, 0, 0.01, 0, 0.06]],
  ['1.03 at 5 % in the State', intra, 1.03, 5, [1.03, 0.03, 0.03, 0, 0, 1.09]],
  ['333.33 at 18 % in the State', intra, 333.33, 18, [333.33, 30, 30, 0, 0, 393.33]],
  ['333.33 at 18 % between States', inter, 333.33, 18, [333.33, 0, 0, 60, 0, 393.33]],
  ['100 at 0.25 % in the State', intra, 100, 0.25, [100, 0.13, 0.13, 0, 0, 100.26]],
  ['100 at 3 % between States', inter, 100, 3, [100, 0, 0, 3, 0, 103]],
  ['100 at 40 % in the State', intra, 100, 40, [100, 20, 20, 0, 0, 140]],
  ['999 with 18 % inside, in the State', { ...intra, ...inclusive }, 999, 18, [846.61, 76.19, 76.19, 0, 0.01, 999]],
  ['999 with 18 % inside, between States', { ...inter, ...inclusive }, 999, 18, [846.61, 0, 0, 152.39, 0, 999]],
  ['1 with 18 % inside, in the State', { ...intra, ...inclusive }, 1, 18, [0.85, 0.08, 0.08, 0, -0.01, 1]],
];

test.each(vectors)('%s', async (_, change, unitPrice, gstRate, expected) => {
  const [taxableValue, cgst, sgst, igst, roundOff, total] = expected;
  const { status, body } = await compute({ ...change, items: [{ ...item, unitPrice, gstRate }] });
  expect(status).toBe(200);
  expect(body).toMatchObject({ totals: { taxableValue, cgst, sgst, utgst: 0, igst, roundOff, total } });
});

test.each([
  ['a registered recipient of the same State', { gstin: '27ZZZPA0002B1ZA' }, '27', 'CGST_SGST', 'B2B'],
  ['a registered recipient of another State', { gstin: karnataka }, '29', 'IGST', 'B2B'],
  ['a zone unit of the same State', { gstin: '27ZZZPA0002B1ZA', sez: true }, '27', 'IGST', 'SEZWP'],
  ['a consumer of another State', { stateCode: '33' }, '33', 'IGST', 'B2C'],
  ['a recipient abroad', { overseas: true }, '96', 'IGST', 'EXPWP'],
  ['Other Territory', { gstin: '97ZZZCA0001A1ZX' }, '97', 'IGST', 'B2B'],
])('the tax for %s', async (_, recipient, code, tax, supplyType) => {
  expect((await compute({ recipient })).body).toMatchObject({ placeOfSupply: { code }, tax, supplyType });
});

test('inside a union territory UTGST replaces SGST', async () => {
  const { body } = await compute({ supplier: { gstin: '26ZZZCA0001A1Z6' }, recipient: { stateCode: '26' } });
  expect(body).toMatchObject({ tax: 'CGST_UTGST', totals: { cgst: 89.91, sgst: 0, utgst: 89.91 } });
});

test('an export under an LUT bears no tax and has the text of Rule 46', async () => {
  const { body } = await compute({ recipient: { overseas: true }, underLut: true, ...inclusive });
  expect(body).toMatchObject({
    tax: 'NONE',
    supplyType: 'EXPWOP',
    totals: { taxableValue: 999, igst: 0, total: 999 },
    endorsements: [expect.stringContaining('WITHOUT PAYMENT OF INTEGRATED TAX')],
  });
});

const manual = { ...item, hsn: '49011010', description: 'Manual', unitPrice: 250, gstRate: 0 };

test.each([
  ['of a nil-rated item', { items: [manual] }, 'Bill of supply', null],
  [
    'of both to a consumer',
    { recipient: { stateCode: '29' }, items: [item, manual] },
    'Invoice-cum-bill of supply',
    null,
  ],
  ['of both to a registered recipient', { ...inter, items: [item, manual] }, 'Tax invoice', expect.any(String)],
  ['of a taxed item', inter, 'Tax invoice', expect.any(String)],
])('an invoice %s is what the law calls it, and registered only with tax', async (_, change, title, expectedIrn) => {
  const { body } = await compute(change);
  expect(body).toMatchObject({ title, expectedIrn });
});

test('a registered recipient gets exempt items on a bill of supply of their own: a warning says so', async () => {
  const { body } = await compute({ ...inter, items: [item, manual] });
  expect(body).toMatchObject({
    warnings: [{ pointer: '/items/1/gstRate', message: expect.stringContaining('bill of supply') }],
  });
});

test('an exempt export is without payment of tax, with or without an LUT', async () => {
  const exported = { recipient: { overseas: true }, items: [manual] };
  const text = 'SUPPLY MEANT FOR EXPORT WITHOUT PAYMENT OF INTEGRATED TAX';
  expect((await compute(exported)).body).toMatchObject({ supplyType: 'EXPWOP', endorsements: [text] });
  const underLut = (await compute({ ...exported, underLut: true })).body;
  expect(underLut).toMatchObject({ title: 'Bill of supply', endorsements: [expect.stringContaining('LETTER OF')] });
});

test('a unit price has up to three decimals, and a line is rounded once', async () => {
  const petrol = { ...item, hsn: '27101241', unit: 'LTR', unitPrice: 94.125, quantity: 12.5 };
  const { body } = await compute({ ...inter, items: [petrol] });
  expect(body).toMatchObject({ lines: [{ unitPrice: 94.125, grossValue: 1176.56, igst: 211.78, total: 1388.34 }] });
  expect((await compute({ items: [{ ...petrol, unitPrice: 94.1255 }] })).status).toBe(422);
});

test('lines, discounts, quantities and the summary add up', async () => {
  const items = [
    { ...item, quantity: 2.5, unitPrice: 4000.01, discount: 500, unit: 'NOS' },
    { ...item, quantity: 0.5, unitPrice: 100, unit: 'NOS' },
    { ...item, hsn: '49011010', description: 'Manual', unitPrice: 250, gstRate: 0 },
  ];
  const { body } = await compute({ ...inter, items });
  expect(body).toMatchObject({
    lines: [
      { serial: 1, grossValue: 10000.03, discount: 500, taxableValue: 9500.03, igst: 1710.01, total: 11210.04 },
      { serial: 2, grossValue: 50, taxableValue: 50, igst: 9, total: 59 },
      { serial: 3, quantity: 1, unit: 'OTH', igst: 0, total: 250 },
    ],
    hsnSummary: [
      { hsn: '998319', unit: 'NOS', gstRate: 18, quantity: 3, taxableValue: 9550.03, igst: 1719.01 },
      { hsn: '49011010', unit: 'OTH', gstRate: 0, quantity: 1, taxableValue: 250, igst: 0 },
    ],
    totals: { taxableValue: 9800.03, tax: 1719.01, roundOff: 0, total: 11519.04 },
  });
});

test('two codes with the same rate and unit have separate rows in the summary', async () => {
  const { body } = await compute({ items: [item, { ...item, hsn: '998313' }] });
  expect(body).toMatchObject({
    hsnSummary: [
      { hsn: '998319', igst: 0, cgst: 89.91 },
      { hsn: '998313', cgst: 89.91 },
    ],
  });
});

test.each([
  [28, '2025-09-21', []],
  [28, '2026-01-31', ['Since 2025-09-22 28 % applied only to tobacco and pan masala.']],
  [28, '2026-02-01', ['28 % ended before 2026-02-01.']],
  [40, '2025-09-21', ['40 % began on 2025-09-22.']],
  [40, '2025-09-22', []],
  [12, '2025-09-21', []],
])('the warning about %d %% on %s', async (gstRate, date, messages) => {
  const { body } = await compute({ document: { number: 'A1', date }, items: [{ ...item, gstRate }] });
  expect(body).toHaveProperty(
    'warnings',
    messages.map((message) => ({ pointer: '/items/0/gstRate', message })),
  );
});

test('the total is rounded to the nearest rupee, halves up, with the difference in the round-off line', async () => {
  const roundToRupee = true;
  expect((await compute({ roundToRupee })).body).toMatchObject({ totals: { roundOff: 0.18, total: 1179 } });
  const free = (unitPrice: number) => compute({ roundToRupee, items: [{ ...item, unitPrice, gstRate: 0 }] });
  expect((await free(10.49)).body).toMatchObject({ totals: { roundOff: -0.49, total: 10 } });
  expect((await free(10.5)).body).toMatchObject({ totals: { roundOff: 0.5, total: 11 } });
});

test('the response has the amount in words, the year and the place', async () => {
  expect((await compute({})).body).toMatchObject({
    document: { type: 'INV', financialYear: '2026-27' },
    placeOfSupply: { code: '27', name: 'Maharashtra' },
    totals: {
      amountInWords: 'Rupees One Thousand One Hundred Seventy-Eight and Paise Eighty-Two Only',
    },
  });
});

test('the expected IRN follows the rule of the portal; consumers have none', async () => {
  const supplier = { gstin: '27AAACI1681G1ZP' };
  expect((await compute({ supplier, ...inter })).body).toMatchObject({
    expectedIrn: 'df3cb36b3a2ad0b3583b87959d9795b2d3b42ace256e9c5cd859dd8aeb7e7d53',
  });
  expect((await compute({})).body).toMatchObject({ expectedIrn: null });
  const document = { number: '0001', date: '2026-11-02' };
  expect((await compute({ document, ...inter })).body).toMatchObject({
    expectedIrn: null,
    warnings: [{ pointer: '/document/number' }],
  });
});

test.each([
  ['28 % after it was abolished', { items: [{ ...item, gstRate: 28 }] }, '/items/0/gstRate'],
  ['12 % after most of it was abolished', { items: [{ ...item, gstRate: 12 }] }, '/items/0/gstRate'],
  ['four digits to a registered recipient', { ...inter, items: [{ ...item, hsn: '9983' }] }, '/items/0/hsn'],
  ['₹50,000 to a consumer without a name', { items: [{ ...item, unitPrice: 50_000 }] }, '/recipient'],
  ['an LUT inside India', { underLut: true }, '/underLut'],
])('%s gives a warning', async (_, change, pointer) => {
  const { status, body } = await compute(change);
  expect(status).toBe(200);
  expect(body).toMatchObject({ warnings: [{ pointer }] });
});

test('an ordinary invoice gives no warning', async () => {
  expect((await compute(inter)).body).toMatchObject({ warnings: [], endorsements: [] });
  // Rule 46(e) goes by the value without tax.
  expect((await compute({ items: [{ ...item, unitPrice: 49_999.99 }] })).body).toMatchObject({ warnings: [] });
});

test.each([
  ['a UN body as supplier', { supplier: { gstin: '0717UNO00157UNO' } }, '/supplier/gstin'],
  [
    'a registration for tax deducted at source as supplier',
    { supplier: { gstin: '06DELI09652G1DA' } },
    '/supplier/gstin',
  ],
  [
    'a registration for tax collected at source as supplier',
    { supplier: { gstin: '29AABCF8078M1C8' } },
    '/supplier/gstin',
  ],
  ['a supplier under a State code that has ended', { supplier: { gstin: '25AAACR5055K1ZB' } }, '/supplier/gstin'],
  ['a mistyped supplier', { supplier: { gstin: '27ZZZCA0001A1Z5' } }, '/supplier/gstin'],
  ['a mistyped recipient', { recipient: { gstin: '29ZZZCA0001A1Z1' } }, '/recipient/gstin'],
  ['the same GSTIN as supplier and recipient', { recipient: { gstin: maharashtra } }, '/recipient/gstin'],
  ['a recipient registered with the Centre', { recipient: { gstin: '9917SGP29001OST' } }, '/recipient/gstin'],
  ['neither GSTIN nor State', { recipient: {} }, '/recipient/stateCode'],
  ['an unknown State', { recipient: { stateCode: '47' } }, '/recipient/stateCode'],
  ['a State that contradicts the GSTIN', { recipient: { gstin: karnataka, stateCode: '27' } }, '/recipient/stateCode'],
  ['abroad with a State', { recipient: { overseas: true, stateCode: '27' } }, '/recipient/stateCode'],
  ['a zone without GSTIN', { recipient: { stateCode: '27', sez: true } }, '/recipient/sez'],
  ['17 characters', { document: { number: 'TPX/26-27/0000001', date: '2026-11-02' } }, '/document/number'],
  ['an underscore', { document: { number: 'INV_1', date: '2026-11-02' } }, '/document/number'],
  ['tomorrow', { document: { number: 'A1', date: '2026-11-22' } }, '/document/date'],
  ['a day before GST', { document: { number: 'A1', date: '2017-06-30' } }, '/document/date'],
  ['30 February', { document: { number: 'A1', date: '2026-02-30' } }, '/document/date'],
  ['no items', { items: [] }, '/items'],
  ['five digits', { items: [{ ...item, hsn: '99831' }] }, '/items/0/hsn'],
  ['17 %', { items: [{ ...item, gstRate: 17 }] }, '/items/0/gstRate'],
  ['a ten-thousandth of a rupee', { items: [{ ...item, unitPrice: 1.0005 }] }, '/items/0/unitPrice'],
  ['a ten-thousandth of a great amount', { items: [{ ...item, unitPrice: 123_456_789.1255 }] }, '/items/0/unitPrice'],
  ['a negative price', { items: [{ ...item, unitPrice: -1 }] }, '/items/0/unitPrice'],
  ['a quantity of zero', { items: [{ ...item, quantity: 0 }] }, '/items/0/quantity'],
  ['a discount beyond the price', { items: [{ ...item, discount: 999.01 }] }, '/items/0/discount'],
  ['a line above the maximum', { items: [item, { ...item, unitPrice: 1e10, quantity: 2 }] }, '/items/1'],
  ['an unknown unit', { items: [{ ...item, unit: 'PIECE' }] }, '/items/0/unit'],
  ['a misspelt field', { items: [{ ...item, qty: 2 }] }, '/items/0/qty'],
  ['a missing description', { items: [{ ...item, description: undefined }] }, '/items/0/description'],
])('rejects %s, with an error that points at it', async (_, change, pointer) => {
  const { status, body } = await compute(change);
  expect(status).toBe(422);
  expect(body).toMatchObject({ status: 422, errors: [{ in: 'body', pointer }] });
});

test('all errors are returned at once', async () => {
  const { body } = await compute({
    supplier: { gstin: 'x' },
    recipient: { gstin: 'y' },
    document: { number: 'A1', date: '2026-12-01' },
  });
  expect(body).toHaveProperty('errors.length', 3);
});

test('today in India is a valid date while it is still yesterday in UTC', async () => {
  const early = await createInvoicing({ ...parts, now: () => Date.parse('2026-11-21T19:00:00Z') });
  const payload = { ...good, document: { number: 'A1', date: '2026-11-22' } };
  expect((await early.inject({ method: 'POST', url: '/v1/invoices/compute', payload })).statusCode).toBe(200);
  await early.close();
});
