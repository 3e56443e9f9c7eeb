import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { ProductServer } from '#products/http/product-server.ts';
import { eWayBillRules } from '#products/invoicing/e-way-bill-rules.ts';
import { partiesExample } from '#products/invoicing/invoice-request.ts';
import { createTestInvoicing } from '#products/test-products.ts';

let server: ProductServer;
beforeAll(async () => {
  server = await createTestInvoicing();
});
afterAll(() => server.close());

const item = { description: 'API access', hsn: '998319', unitPrice: 1000, gstRate: 18 };
const goods = { description: 'T-shirts', hsn: '61091000', quantity: 400, unit: 'PCS', unitPrice: 250, gstRate: 5 };
const good = { ...partiesExample, document: { number: 'A1', date: '2026-11-02' }, items: [goods] };
const original = { number: 'A0', date: '2026-10-01' };
const creditNote = { document: { type: 'CRN', number: 'C1', date: '2026-11-02', original } };

const road = { mode: 'road', distanceKm: 980, vehicleNumber: 'MH01AB1234' };

async function travel(change: object) {
  const payload = { ...good, transport: road, ...change };
  const reply = await server.inject({ method: 'POST', url: '/v1/e-way-bills/prepare', payload });
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() };
}

test('an e-way bill uses the portal’s own field names, for goods only', async () => {
  expect(await travel({ items: [item, goods] })).toMatchObject({
    status: 200,
    body: {
      required: true,
      validForDays: 5,
      action: 'GENEWAYBILL',
      eWayBill: {
        supplyType: 'O',
        subSupplyType: '1',
        docType: 'INV',
        docNo: 'A1',
        docDate: '02/11/2026',
        fromGstin: '27ZZZCA0001A1Z4',
        fromPincode: 400053,
        fromStateCode: 27,
        toGstin: '29ZZZCA0001A1Z0',
        toPincode: 560025,
        toStateCode: 29,
        actToStateCode: 29,
        transactionType: 1,
        totalValue: 100000,
        igstValue: 5000,
        cgstValue: 0,
        otherValue: 0,
        totInvValue: 105000,
        transMode: '1',
        transDistance: '980',
        vehicleNo: 'MH01AB1234',
        vehicleType: 'R',
        itemList: [
          { hsnCode: 61091000, quantity: 400, qtyUnit: 'PCS', igstRate: 5, cgstRate: 0, taxableAmount: 100000 },
        ],
      },
    },
  });
});

test('within a State both halves are equal, a ship-to address elsewhere is passed on, over-dimensional cargo gets more time', async () => {
  const shipTo = { stateCode: '33', address: { line1: '5 Port Road', city: 'Chennai', pin: '600001' } };
  const recipient = { ...partiesExample.recipient, gstin: '27ZZZPA0002B1ZA' };
  expect((await travel({ recipient, shipTo, transport: { ...road, overDimensional: true } })).body).toMatchObject({
    validForDays: 49,
    eWayBill: {
      cgstValue: 2500,
      sgstValue: 2500,
      igstValue: 0,
      toStateCode: 27,
      actToStateCode: 33,
      toPincode: 600001,
      transactionType: 2,
      shipToGSTIN: 'URP',
      shipToTradeName: 'Kaveri Sample Traders',
      vehicleType: 'O',
      itemList: [{ cgstRate: 2.5, sgstRate: 2.5, igstRate: 0 }],
    },
  });
  expect((await travel({ items: [{ ...goods, quantity: 1 }] })).body).toMatchObject({ required: false });
});

test('the portal computes a distance of 0 and so how long the bill is valid; the transport document may be of the invoice’s day', async () => {
  const transport = { ...road, distanceKm: 0, transporterId: '88ZZZCA0001A1ZW', documentDate: good.document.date };
  expect(await travel({ transport })).toMatchObject({
    status: 200,
    body: { validForDays: null, eWayBill: { transDistance: '0', transporterId: '88ZZZCA0001A1ZW' } },
  });
});

const required = async (items: object[]) => (await travel({ items })).body['required'];

test('goods of no rate are on a bill of supply, and on an invoice with others not', async () => {
  const milk = { description: 'Milk', hsn: '04011000', quantity: 100, unit: 'LTR', unitPrice: 600, gstRate: 0 };
  expect((await travel({ items: [milk] })).body).toMatchObject({ eWayBill: { docType: 'BIL', totInvValue: 60000 } });
  expect((await travel({ items: [milk, goods] })).body).toMatchObject({ eWayBill: { docType: 'INV' } });
});

test('services and exempt goods do not make an e-way bill required, unless the exempt goods are de-oiled cake', async () => {
  const shirts = { ...goods, quantity: 180 };
  const milk = { description: 'Milk', hsn: '04011000', quantity: 100, unit: 'LTR', unitPrice: 600, gstRate: 0 };
  expect(await required([shirts, { ...item, unitPrice: 20_000 }])).toBe(false);
  expect(await required([shirts, milk])).toBe(false);
  expect(await required([goods, milk])).toBe(true);
  expect(await required([milk])).toBe(false);
  expect(await required([{ ...milk, hsn: '23040010' }])).toBe(true);
  expect(await required([{ ...milk, hsn: '23040010' }, shirts])).toBe(false);
});

test.each([
  ['services alone', { items: [item] }, '/items', '724'],
  ['more than 250 lines of goods', { items: Array.from({ length: 251 }, () => goods) }, '/items', undefined],
  ['a credit note', creditNote, '/document/type', '204'],
  ['a document older than 180 days', { document: { number: 'A1', date: '2026-05-01' } }, '/document/date', '820'],
])('no e-way bill for %s', async (_, change, pointer, portalCode) => {
  const { status, body } = await travel(change);
  expect(status).toBe(422);
  const [fault] = z.array(z.looseObject({ pointer: z.string() })).parse(body['errors']);
  expect(fault).toMatchObject({ pointer });
  expect(fault?.['portalCode']).toBe(portalCode);
});

test('250 lines of goods are taken, beside any number of services', async () => {
  const items = [...Array.from({ length: 250 }, () => goods), ...Array.from({ length: 10 }, () => item)];
  expect((await travel({ items })).status).toBe(200);
});

test('the reference lists each refusal with the portal’s code', () => {
  const { description } = z
    .looseObject({ description: z.string() })
    .parse(server.swagger().paths?.['/v1/e-way-bills/prepare']?.post);
  for (const { code, message } of eWayBillRules) expect(description).toContain(`| ${code ?? 'none'} | ${message} |`);
});
