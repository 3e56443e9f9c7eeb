import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProductServer } from '#products/http/product-server.ts';
import { partiesExample } from '#products/invoicing/invoice-request.ts';
import { createTestInvoicing } from '#products/test-products.ts';

let server: ProductServer;
beforeAll(async () => {
  server = await createTestInvoicing();
});
afterAll(() => server.close());

const item = { description: 'API access', hsn: '998319', unitPrice: 1000, gstRate: 18 };
const goods = { description: 'T-shirts', hsn: '61091000', quantity: 400, unit: 'PCS', unitPrice: 250, gstRate: 5 };
const good = { ...partiesExample, document: { number: 'A1', date: '2026-11-02' }, items: [item] };
const post = (url: string, change: object) => server.inject({ method: 'POST', url, payload: { ...good, ...change } });

async function bodyOf(url: string, change: object) {
  const reply = await post(url, change);
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() };
}
const compute = (change: object) => bodyOf('/v1/invoices/compute', change);

const print = (change: object) => bodyOf('/v1/invoices/pdf', change);

/** The text of the printed document, as people read it. */
async function printed(change: object): Promise<string> {
  const reply = await post('/v1/invoices/pdf', change);
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/pdf']);
  return execFileSync('pdftotext', ['-layout', '-', '-'], { input: reply.rawPayload, encoding: 'utf8' });
}
const hasPdfToText = existsSync('/usr/bin/pdftotext');

const zone = { gstin: '27ZZZFA0003C2ZR', sez: true };
/** Supplier, recipient and LUT, and the taxes that result. */
const matrix: [string, object, [string, string, string]][] = [
  ['27 to a registered recipient in 27', { recipient: { gstin: '27ZZZPA0002B1ZA' } }, ['27', 'CGST_SGST', 'B2B']],
  ['27 to a registered recipient in 29', { recipient: { gstin: '29ZZZCA0001A1Z0' } }, ['29', 'IGST', 'B2B']],
  ['27 to a zone in 27 with tax', { recipient: zone }, ['27', 'IGST', 'SEZWP']],
  ['27 to a zone in 27 under an LUT', { recipient: zone, underLut: true }, ['27', 'NONE', 'SEZWOP']],
  ['27 to a consumer in 27', { recipient: { stateCode: '27' } }, ['27', 'CGST_SGST', 'B2C']],
  ['27 to a consumer in 33', { recipient: { stateCode: '33' } }, ['33', 'IGST', 'B2C']],
  ['27 abroad with tax', { recipient: { overseas: true } }, ['96', 'IGST', 'EXPWP']],
  ['27 abroad under an LUT', { recipient: { overseas: true }, underLut: true }, ['96', 'NONE', 'EXPWOP']],
  [
    '26 to a registered recipient in 26',
    { supplier: { gstin: '26ZZZCA0001A1Z6' }, recipient: { stateCode: '26' } },
    ['26', 'CGST_UTGST', 'B2C'],
  ],
  ['27 to a registered recipient in 97', { recipient: { gstin: '97ZZZCA0001A1ZX' } }, ['97', 'IGST', 'B2B']],
  [
    '97 to a consumer in 97',
    { supplier: { gstin: '97ZZZCA0001A1ZX' }, recipient: { stateCode: '97' } },
    ['97', 'CGST_UTGST', 'B2C'],
  ],
  [
    'goods of 27 for 29, delivered in 27',
    { recipient: { gstin: '29ZZZCA0001A1Z0' }, placeOfSupply: '27' },
    ['27', 'CGST_SGST', 'B2B'],
  ],
  [
    'an event in 30 for a consumer of 27',
    { recipient: { stateCode: '27' }, placeOfSupply: '30' },
    ['30', 'IGST', 'B2C'],
  ],
];

test.each(matrix)('%s', async (_, change, [code, tax, supplyType]) => {
  expect(await compute(change)).toMatchObject({ status: 200, body: { placeOfSupply: { code }, tax, supplyType } });
});

const original = { number: 'A0', date: '2026-10-01' };
const note = (change: object = {}) => ({
  document: { type: 'CRN', number: 'C1', date: '2026-11-02', original, ...change },
});

test('a credit note computes like its invoice and names it', async () => {
  expect((await compute(note())).body).toMatchObject({
    document: { type: 'CRN', financialYear: '2026-27', original },
    totals: { taxableValue: 1000, igst: 180, total: 1180 },
    warnings: [],
  });
});

test.each([
  ['an invalid place of supply', { placeOfSupply: '99' }, '/placeOfSupply'],
  ['another place for an export', { recipient: { overseas: true }, placeOfSupply: '27' }, '/placeOfSupply'],
  ['another place for a zone', { recipient: zone, placeOfSupply: '29' }, '/placeOfSupply'],
  ['a note that names no invoice', note({ original: undefined }), '/document/original'],
  ['an invoice that names one', note({ type: 'INV' }), '/document/original'],
  [
    'a note to an invoice with a later date',
    note({ original: { number: 'A0', date: '2026-11-03' } }),
    '/document/original/date',
  ],
  ['a note to itself', note({ original: { number: 'c1', date: '2026-11-01' } }), '/document/original/number'],
])('rejects %s', async (_, change, pointer) => {
  expect(await compute(change)).toMatchObject({ status: 422, body: { errors: [{ in: 'body', pointer }] } });
});

test('a late credit note and a PIN of another State cause warnings', async () => {
  const late = note({ original: { number: 'A0', date: '2025-03-31' } });
  expect((await compute(late)).body).toMatchObject({ warnings: [{ pointer: '/document/date' }] });
  const address = { ...partiesExample.supplier.address, pin: '560001' };
  expect((await compute({ supplier: { ...partiesExample.supplier, address } })).body).toMatchObject({
    warnings: [{ pointer: '/supplier/address/pin', message: 'This PIN is in Karnataka, not in State 27.' }],
  });
  const unknown = { ...partiesExample.supplier.address, pin: '999999' };
  expect((await compute({ supplier: { ...partiesExample.supplier, address: unknown } })).body).toMatchObject({
    warnings: [],
  });
});

test.runIf(hasPdfToText)('a printed invoice has the particulars of Rule 46', async () => {
  const text = await printed({ items: [item, { ...goods, discount: 10 }], roundToRupee: true });
  for (const part of [
    'Tax invoice',
    'A1',
    '2 Nov 2026',
    'Zenith Sample Private Limited',
    '27ZZZCA0001A1Z4',
    '27 Maharashtra',
    'Kaveri Sample Traders',
    '29ZZZCA0001A1Z0',
    '29 Karnataka',
    '998319',
    '61091000',
    '400 PCS',
    'IGST 5%',
    '₹4,999.50',
    'IGST 18%',
    '₹180.00',
    '₹1,06,170.00',
    'Reverse charge',
    'Rupees One Lakh Six Thousand One Hundred Seventy Only',
  ]) {
    expect(text).toContain(part);
  }
});

test.runIf(hasPdfToText)(
  'a printed note names its invoice, an export is labelled as one, and the signatory is shown',
  async () => {
    const credit = await printed(note({ reason: 'Service not given' }));
    for (const part of ['Credit note', 'A0', '1 Oct 2026', 'Reason: Service not given', 'Amount credited']) {
      expect(credit).toContain(part);
    }
    const address = { line1: '1 Main Street', city: 'Boston', pin: '02108', country: 'US' };
    const abroad = await printed({
      recipient: { overseas: true, name: 'Sample Inc.', address },
      underLut: true,
      paper: { signatory: 'A. Rao, Director', notes: ['#panic("no") is text'] },
    });
    for (const part of [
      'LETTER OF UNDERTAKING',
      'United States',
      'IGST 0%',
      'A. Rao, Director',
      '#panic("no") is text',
    ]) {
      expect(abroad).toContain(part);
    }
  },
);

test('the same invoice gives the same bytes, and the registration is printed as a QR code', async () => {
  const [one, other] = [await post('/v1/invoices/pdf', {}), await post('/v1/invoices/pdf', {})];
  expect(one.rawPayload.equals(other.rawPayload)).toBe(true);
  const registration = {
    irn: 'a'.repeat(64),
    ackNumber: '112610000000001',
    ackAt: '2 Nov 2026',
    signedQrCode: 'e.y.J',
  };
  const registered = await post('/v1/invoices/pdf', { paper: { registration } });
  expect(registered.statusCode).toBe(200);
  expect(registered.rawPayload.length).toBeGreaterThan(one.rawPayload.length);
});

const items = (characters: number) =>
  Array.from({ length: characters / 200 }, () => ({ ...item, description: 'ab '.repeat(66) + 'cd' }));

test('the descriptions of a printed document have at most 40,000 characters together, those of a computed one have no limit together', async () => {
  expect(await print({ items: items(40_200) })).toMatchObject({
    status: 422,
    body: {
      errors: [
        {
          pointer: '/items',
          message: 'The descriptions of all items together have at most 40,000 characters in a PDF; these have 40,200.',
        },
      ],
    },
  });
  expect((await post('/v1/invoices/pdf', { items: items(40_000) })).statusCode).toBe(200);
  expect((await compute({ items: items(40_200) })).status).toBe(200);
});

test('a printed document requires the name and address of a registered recipient, and of a consumer from a taxable value of ₹50,000 on', async () => {
  const pointers = [{ pointer: '/recipient/name' }, { pointer: '/recipient/address' }];
  expect(await print({ recipient: { gstin: '29ZZZCA0001A1Z0' } })).toMatchObject({
    status: 422,
    body: { errors: pointers },
  });
  const consumer = { recipient: { stateCode: '27' } };
  const below = { ...consumer, items: [{ ...item, unitPrice: 49_999.99 }] };
  expect((await post('/v1/invoices/pdf', below)).statusCode).toBe(200);
  expect(await print({ ...consumer, items: [{ ...item, unitPrice: 50_000 }] })).toMatchObject({
    body: { errors: pointers },
  });
  expect(await print({ supplier: { gstin: '27ZZZCA0001A1Z4' } })).toMatchObject({
    body: { errors: [{ pointer: '/supplier/name' }, { pointer: '/supplier/address' }] },
  });
});

const to = (country?: string) => ({
  recipient: { overseas: true, name: 'Sample Inc.', address: { line1: '1', city: 'Rome', country } },
});

test('an export names a country abroad, by a code that is in use', async () => {
  const pointer = '/recipient/address/country';
  for (const country of ['IN', 'ZZ', 'QQ', 'UK', 'it']) {
    expect(await compute(to(country))).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  }
  expect((await compute(to('IT'))).status).toBe(200);
  expect((await compute(to())).status).toBe(200);
  expect(await print(to())).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
});
