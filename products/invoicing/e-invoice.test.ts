import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { testRenderer } from '#shared/paper/test-renderer.ts';
import { createGsp, type GspSettings } from '#products/gsp/gsp.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { createInvoicing } from '#products/invoicing/app.ts';
import { partiesExample } from '#products/invoicing/invoice-request.ts';
import { createRegistrar } from '#products/invoicing/registrar.ts';
import { startTestGsp, type TestGsp } from '#products/test-gsp.ts';
import { createTestInvoicing, quietLog, testNow } from '#products/test-products.ts';

let gsp: TestGsp;
let server: ProductServer;
/** It waits only a short time for the portal. */
let impatient: ProductServer;
beforeAll(async () => {
  gsp = await startTestGsp();
  server = await startInvoicing(gsp.settings);
  impatient = await startInvoicing({ ...gsp.settings, timeoutMs: 3000 });
});
afterAll(async () => {
  await server.close();
  await impatient.close();
  await gsp.stop();
});
afterEach(() => gsp.control('PUT', '/behaviour', {}));

const startInvoicing = (settings: GspSettings) =>
  createInvoicing({
    gatewayUrl: 'http://localhost:4100',
    registrar: createRegistrar(createGsp(settings, testNow)),
    store: undefined,
    renderer: testRenderer(),
    now: testNow,
    log: quietLog,
  });

const login = { 'irp-username': 'api_user', 'irp-password': 'secret' };
const gstin = partiesExample.supplier.gstin;
const item = { description: 'API access, Growth plan', hsn: '998319', unitPrice: 1499, gstRate: 18 };
let count = 0;

/** An invoice with a number that no other test uses. */
function invoice(change: object = {}) {
  count += 1;
  return { ...partiesExample, document: { number: `T/${count}`, date: '2026-11-02' }, items: [item], ...change };
}

async function post(url: string, payload: object, headers: object = login, to = server) {
  const reply = await to.inject({ method: 'POST', url, payload, headers: { ...headers } });
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() };
}
const register = (payload: object, headers?: object, to?: ProductServer) =>
  post('/v1/e-invoices', payload, headers, to);

const cancel = (irn: unknown) =>
  post(`/v1/e-invoices/${String(irn)}/cancel`, { gstin, reason: 'order-cancelled', remark: 'Not wanted any more' });

const overseas = {
  recipient: {
    overseas: true,
    name: 'Sample Inc.',
    address: { line1: '1 Main Street', city: 'Boston', pin: '02108', country: 'US' },
  },
};

test('an invoice is registered, and the signed QR code contains the registered data', async () => {
  const payload = invoice();
  const { body: prepared } = await post('/v1/e-invoices/prepare', payload);
  const { status, body } = await register(payload);
  expect(status).toBe(200);
  expect(body).toMatchObject({ irn: prepared['irn'], status: 'active', duplicate: false });
  const keys = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }).parse(await gsp.control('GET', '/keys'));
  const verified = await jwtVerify(String(body['signedQrCode']), createLocalJWKSet(keys), { issuer: 'NIC' });
  expect(JSON.parse(String(verified.payload['data']))).toMatchObject({
    SellerGstin: gstin,
    BuyerGstin: '29ZZZCA0001A1Z0',
    DocNo: payload.document.number,
    DocTyp: 'INV',
    DocDt: '02/11/2026',
    TotInvVal: 1768.82,
    ItemCnt: 1,
    MainHsnCode: '998319',
    Irn: prepared['irn'],
  });
  const found = await server.inject({ url: `/v1/e-invoices/${String(body['irn'])}?gstin=${gstin}`, headers: login });
  expect(found.json()).toEqual({ ...body, duplicate: undefined });
});

test.each([
  [
    'a unit of a zone, with tax',
    { recipient: { ...partiesExample.recipient, gstin: '27ZZZFA0003C2ZR', sez: true } },
    'SEZWP',
  ],
  [
    'a unit of a zone, under an LUT',
    { recipient: { ...partiesExample.recipient, gstin: '27ZZZFA0003C2ZR', sez: true }, underLut: true },
    'SEZWOP',
  ],
  ['an export with payment of tax', overseas, 'EXPWP'],
  ['an export under an LUT', { ...overseas, underLut: true }, 'EXPWOP'],
  ['a union territory', { recipient: { ...partiesExample.recipient, gstin: '26ZZZCA0001A1Z6' } }, 'B2B'],
  ['Other Territory', { recipient: { ...partiesExample.recipient, gstin: '97ZZZCA0001A1ZX' } }, 'B2B'],
  ['the same State', { recipient: { ...partiesExample.recipient, gstin: '27ZZZPA0002B1ZA' } }, 'B2B'],
  [
    'tax-inclusive prices, on lines with fractional quantities',
    {
      priceIncludesTax: true,
      roundToRupee: true,
      items: [
        { ...item, quantity: 3.333 },
        { ...item, hsn: '61091000', unitPrice: 0.07, gstRate: 5 },
      ],
    },
    'B2B',
  ],
  ['discounts and goods', { items: [{ ...item, hsn: '84713010', quantity: 2, unit: 'NOS', discount: 99.99 }] }, 'B2B'],
  ['a different place of supply', { placeOfSupply: '33' }, 'B2B'],
])('the portal accepts %s', async (_, change, supplyType) => {
  const payload = invoice(change);
  const prepared = await post('/v1/e-invoices/prepare', payload);
  expect(prepared.body).toMatchObject({ inv01: { TranDtls: { SupTyp: supplyType } } });
  expect(await register(payload)).toMatchObject({ status: 200, body: { irn: prepared.body['irn'], status: 'active' } });
});

test('a credit note is registered and names its invoice', async () => {
  const original = { number: 'T/0', date: '2026-11-01' };
  const note = invoice({ document: { type: 'CRN', number: 'T/C1', date: '2026-11-02', original } });
  expect((await post('/v1/e-invoices/prepare', note)).body).toMatchObject({
    inv01: {
      DocDtls: { Typ: 'CRN' },
      RefDtls: { PrecDocDtls: [{ InvNo: 'T/0', InvDt: '01/11/2026' }] },
    },
  });
  expect((await register(note)).status).toBe(200);
});

test('a document that is already registered returns its registration, regardless of letter case', async () => {
  const payload = invoice({ document: { number: 'dup-1', date: '2026-11-02' } });
  const first = await register(payload);
  expect(await register(payload)).toEqual({ status: 200, body: { ...first.body, duplicate: true } });
  const capital = { ...payload, document: { number: 'DUP-1', date: '2026-11-02' } };
  expect((await register(capital)).body).toMatchObject({ irn: first.body['irn'], duplicate: true });
});

test('another document under a registered number is not mistaken for the same one', async () => {
  const payload = invoice();
  await register(payload);
  expect(await register({ ...payload, items: [{ ...item, unitPrice: 1500 }] })).toMatchObject({
    status: 409,
    body: { portalCode: '2150' },
  });
});

test('a retry finds the registration whose response was lost', async () => {
  const payload = invoice();
  // From now on it has its token and login, so only the registration times out.
  await expect.poll(async () => (await register(invoice(), login, impatient)).status).toBe(200);
  await gsp.control('PUT', '/behaviour', { register: 'timeout-after-register' });
  expect(await register(payload, login, impatient)).toMatchObject({ status: 504 });
  await gsp.control('PUT', '/behaviour', {});
  expect(await register(payload)).toMatchObject({ status: 200, body: { duplicate: true, status: 'active' } });
});

test.each([
  ['down', 503, () => server],
  ['slow', 504, () => impatient],
  ['unreadable', 502, () => server],
  ['error-500', 502, () => server],
])('a portal that is %s is a %i, and nothing is registered', async (how, status, to) => {
  const payload = invoice();
  await gsp.control('PUT', '/behaviour', { register: how, slowMs: 60_000 });
  expect((await register(payload, login, to())).status).toBe(status);
});

test.each([
  ['a cancelled recipient', { recipient: { ...partiesExample.recipient, gstin: '07ZZZCA0001A1Z6' } }, '3074'],
  ['a suspended recipient', { recipient: { ...partiesExample.recipient, gstin: '33ZZZCA0001A1ZB' } }, '3029'],
  [
    'a recipient who is not registered',
    { recipient: { ...partiesExample.recipient, gstin: '32ZZZCA0001A1ZD' } },
    '3028',
  ],
])('the portal rejects %s with its code', async (_, change, code) => {
  expect(await register(invoice(change))).toMatchObject({ status: 422, body: { portalCode: code } });
});

test('a wrong login is rejected with its code', async () => {
  expect(await register(invoice(), { ...login, 'irp-password': 'wrong' })).toMatchObject({
    status: 422,
    body: { portalCode: '1008' },
  });
  expect(await register(invoice(), {})).toMatchObject({
    status: 422,
    body: {
      errors: [
        { in: 'header', pointer: '/irp-username' },
        { in: 'header', pointer: '/irp-password' },
      ],
    },
  });
});

test('a registration is cancelled once, within 24 hours', async () => {
  const [early, late] = [await register(invoice()), await register(invoice())];
  expect(await cancel(early.body['irn'])).toMatchObject({ status: 200, body: { irn: early.body['irn'] } });
  expect(await cancel(early.body['irn'])).toMatchObject({ status: 422, body: { portalCode: '9999' } });
  expect(await cancel('0'.repeat(64))).toMatchObject({ status: 404, body: { portalCode: '2148' } });
  await gsp.control('POST', '/clock', { advanceMs: 24 * 3_600_000 + 60_000 });
  expect(await cancel(late.body['irn'])).toMatchObject({ status: 422, body: { portalCode: '2230' } });
});

test('after two days the portal returns only the acknowledgement of a duplicate', async () => {
  const payload = invoice();
  const first = await register(payload);
  await gsp.control('POST', '/clock', { advanceMs: 49 * 3_600_000 });
  expect(await register(payload)).toMatchObject({
    status: 200,
    body: { irn: first.body['irn'], ackNumber: first.body['ackNumber'], duplicate: true, signedQrCode: null },
  });
});

test.each([
  ['a consumer', { recipient: { stateCode: '27' } }, '/recipient'],
  ['a number that begins with 0', { document: { number: '01', date: '2026-11-02' } }, '/document/number'],
  ['four digits of HSN', { items: [{ ...item, hsn: '9983' }] }, '/items/0/hsn'],
  ['no address', { recipient: { gstin: '29ZZZCA0001A1Z0', name: 'Kaveri' } }, '/recipient/address'],
  [
    'no name',
    { recipient: { gstin: '29ZZZCA0001A1Z0', address: partiesExample.recipient.address } },
    '/recipient/name',
  ],
  [
    'no country',
    { recipient: { ...overseas.recipient, address: { line1: '1', city: 'Boston' } } },
    '/recipient/address/country',
  ],
  ['a short description', { items: [{ ...item, description: 'ab' }] }, '/items/0/description'],
])('%s is rejected before it reaches the portal', async (_, change, pointer) => {
  const { status, body } = await register(invoice(change));
  expect(status).toBe(422);
  expect(body['errors']).toContainEqual(expect.objectContaining({ pointer }));
});

test('without an account, registration is off and preparing still works', async () => {
  const off = await createTestInvoicing();
  const call = (url: string) => off.inject({ method: 'POST', url, payload: invoice(), headers: login });
  expect((await call('/v1/e-invoices')).statusCode).toBe(503);
  expect((await call('/v1/e-invoices/prepare')).statusCode).toBe(200);
});
