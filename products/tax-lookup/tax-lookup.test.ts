import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTaxLookup } from '#products/tax-lookup/app.ts';
import type { ProductServer } from '#products/http/product-server.ts';
import { noOfficialList } from '#products/tax-lookup/official-list.ts';
import { readRateTable } from '#products/tax-lookup/rate-files.ts';
import { quietLog, ratesFolder, testNow } from '#products/test-products.ts';

let server: ProductServer;
beforeAll(async () => {
  server = await createTaxLookup({
    gatewayUrl: 'http://localhost:4100',
    table: readRateTable(ratesFolder),
    official: noOfficialList,
    search: undefined,
    now: testNow,
    log: quietLog,
  });
});
afterAll(() => server.close());

async function get(url: string): Promise<{ status: number; body: unknown; type: string }> {
  const reply = await server.inject(url);
  return { status: reply.statusCode, body: reply.json(), type: String(reply.headers['content-type']) };
}

const post = (payload: object) => server.inject({ method: 'POST', url: '/v1/gstin/validate', payload });

const decide = async (query: string) => (await get(`/v1/place-of-supply?supplierState=27&${query}`)).body;

/** `rate condition` of every rate in force. */
async function ratesOf(code: string, on = ''): Promise<string[]> {
  const reply = await server.inject(`/v1/hsn/${code}${on === '' ? '' : `?on=${on}`}`);
  const { rates } = reply.json<{ rates: { rate: number; condition: string | null }[] }>();
  return rates.map(({ rate, condition }) => (condition === null ? `${rate}` : `${rate} ${condition}`));
}

test('a GSTIN is split into its parts', async () => {
  expect(await get('/v1/gstin/27AAPFU0939F1ZV')).toMatchObject({
    status: 200,
    body: {
      gstin: '27AAPFU0939F1ZV',
      valid: true,
      kind: 'normal',
      state: { code: '27', name: 'Maharashtra' },
      pan: 'AAPFU0939F',
      holder: { letter: 'F', type: 'Firm or Limited Liability Partnership' },
      checkCharacter: 'V',
      faults: [],
    },
  });
});

test('an invalid GSTIN is a successful response with its error', async () => {
  const { status, body } = await get('/v1/gstin/29GGGGG1314R9Z6');
  expect(status).toBe(200);
  expect(body).toMatchObject({ valid: false, state: null, faults: [{ code: 'check_character', expected: 'A' }] });
  expect((await get('/v1/gstin/hello%20world')).body).toMatchObject({ valid: false, faults: [{ code: 'length' }] });
});

test('a batch has one result per number, in order, valid or not', async () => {
  const gstins = ['27ZZZCA0001A1Z4', 'x', '9917SGP29001OST'];
  const reply = await post({ gstins });
  expect(reply.json()).toMatchObject({
    valid: 2,
    invalid: 1,
    results: [{ valid: true }, { valid: false, gstin: 'X' }, { valid: true, kind: 'online_service_abroad', pan: null }],
  });
});

test('rejects an empty batch, one of more than 100, and a misspelt field, with an error that points at the field', async () => {
  for (const gstins of [[], Array.from({ length: 101 }, () => 'x')]) {
    const reply = await post({ gstins });
    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject({ errors: [{ in: 'body', pointer: '/gstins' }] });
  }
  expect((await post({ gstin: ['x'] })).json()).toMatchObject({
    errors: [
      { pointer: '/gstins', message: 'This field is required.' },
      { pointer: '/gstin', message: 'This field does not exist; check its spelling.' },
    ],
  });
  expect((await post({ gstins: ['x', 5] })).json()).toMatchObject({ errors: [{ pointer: '/gstins/1' }] });
});

test.each([
  ['01022110', '', ['0']],
  ['04011000', '', ['0']],
  ['0405', '', ['5']],
  ['1006', '', ['0 not pre-packaged and labelled', '5 pre-packaged and labelled']],
  ['19053100', '', ['5']],
  ['22021010', '', ['40']],
  ['22021010', '2025-09-21', ['28']],
  ['24022010', '2026-01-31', ['28']],
  ['24022010', '2026-02-01', ['40']],
  ['24031921', '2026-01-31', ['28']],
  ['24031921', '', ['18']],
  ['21069020', '2026-01-31', ['28']],
  ['21069020', '', ['40']],
  ['2523', '2025-09-21', ['28']],
  ['2523', '2025-09-22', ['18']],
  ['61091000', '', ['5 sale value up to ₹2,500 a piece', '18 sale value above ₹2,500 a piece']],
  ['7108', '', ['3']],
  ['71023100', '', ['0.25']],
  ['71023910', '', ['1.5']],
  ['84713010', '', ['18']],
  ['87038030', '', ['5']],
  ['8711', '', ['5 electric', '18 up to 350 cc', '40 above 350 cc']],
  ['98071000', '', ['40']],
  ['998313', '', ['18']],
  ['997331', '', ['18']],
  ['999723', '2025-09-21', ['18']],
  ['999723', '2025-09-22', ['5 without input tax credit']],
])('%s on %s bears %j', async (code, on, rates) => {
  expect(await ratesOf(code, on)).toEqual(rates);
});

test('building bricks bear 12 % and the response has the notification, serial and first day', async () => {
  expect((await get('/v1/hsn/69041000')).body).toMatchObject({
    rates: [
      { rate: 12, notification: '14/2025-Central Tax (Rate)', serial: '3', validFrom: '2025-09-22', validTo: null },
    ],
  });
});

test('a code without an entry is reported as not curated, with nothing guessed', async () => {
  expect((await get('/v1/hsn/84131100')).body).toMatchObject({
    code: '84131100',
    rateStatus: 'not_curated',
    rates: [],
    description: null,
    matchedCode: null,
  });
});

test('a code that is too broad lists the narrower ones', async () => {
  const { body } = await get('/v1/hsn/87');
  expect(body).toMatchObject({ rateStatus: 'not_curated', rates: [] });
  expect(body).toHaveProperty('narrower', expect.arrayContaining([{ code: '8712', description: 'Bicycles' }]));
});

test('a day before the curated rows is not curated, and the other periods show what is known', async () => {
  expect((await get('/v1/hsn/7108?on=2020-01-01')).body).toMatchObject({
    rateStatus: 'not_curated',
    rates: [],
    otherPeriods: [{ rate: 3 }],
  });
});

test('dots and spaces in a code are ignored', async () => {
  expect((await get('/v1/hsn/8471.30.10')).body).toMatchObject({ code: '84713010', matchedCode: '847130' });
  expect((await get('/v1/hsn/8471%2030')).body).toMatchObject({ code: '847130' });
});

test.each([
  ['/v1/hsn/847', 'path', '/code'],
  ['/v1/hsn/abcd', 'path', '/code'],
  ['/v1/hsn/99831310', 'path', '/code'],
  ['/v1/hsn/8471?on=2026-02-30', 'query', '/on'],
  ['/v1/hsn/8471?on=2017-06-30', 'query', '/on'],
  ['/v1/hsn/8471?on=2027-06-30', 'query', '/on'],
  ['/v1/hsn/8471?day=2026-01-01', 'query', '/day'],
  ['/v1/hsn', 'query', '/search'],
  ['/v1/hsn?search=laptop&limit=0', 'query', '/limit'],
  ['/v1/place-of-supply?supplierState=27', 'query', '/recipientState'],
  ['/v1/place-of-supply?supplierState=99&recipientState=27', 'query', '/supplierState'],
  ['/v1/place-of-supply?supplierState=27&recipientGstin=29ZZZCA0001A1Z1', 'query', '/recipientGstin'],
  ['/v1/place-of-supply?supplierState=27&recipientGstin=9917SGP29001OST', 'query', '/recipientGstin'],
  ['/v1/place-of-supply?supplierState=27&recipientState=29&amount=&gstRate=18', 'query', '/amount'],
  ['/v1/place-of-supply?supplierState=27&recipientState=29&amount=0x10&gstRate=18', 'query', '/amount'],
  ['/v1/place-of-supply?supplierState=27&recipientState=29&amount=1499&gstRate=', 'query', '/gstRate'],
  ['/v1/place-of-supply?supplierState=27&recipientState=29&overseas=true', 'query', '/overseas'],
  ['/v1/place-of-supply?supplierState=27&overseas=perhaps', 'query', '/overseas'],
])('rejects %s at %s %s', async (url, part, pointer) => {
  const { status, body, type } = await get(url);
  expect(status).toBe(422);
  expect(type).toContain('application/problem+json');
  expect(body).toMatchObject({ status: 422, errors: [{ in: part, pointer }] });
  expect(body).toHaveProperty('message', expect.stringContaining(pointer));
});

test('search returns codes with today’s rates, at most as many as requested', async () => {
  expect((await get('/v1/hsn?search=laptop&limit=1')).body).toEqual({
    search: 'laptop',
    total: 3,
    results: [
      {
        code: '847130',
        description: 'Laptops and other portable computers',
        kind: 'goods',
        rateStatus: 'curated',
        rates: [18],
      },
    ],
  });
  expect((await get('/v1/hsn?search=laptop&kind=services')).body).toMatchObject({ results: [{ code: '997315' }] });
});

test('the states are listed with their uses', async () => {
  const { body } = await get('/v1/states');
  expect(body).toHaveProperty('states.length', 41);
  expect(body).toHaveProperty('states.24', {
    code: '25',
    name: 'Daman and Diu (before the merger)',
    utgst: true,
    gstinPrefix: true,
    placeOfSupply: false,
    discontinued: true,
    successor: '26',
  });
});

test('place of supply works for consumers, registered recipients, zones and exports', async () => {
  expect(await decide('recipientState=27')).toMatchObject({ tax: 'CGST_SGST', interState: false, supplyType: 'B2C' });
  expect(await decide('recipientGstin=29ZZZCA0001A1Z0')).toMatchObject({ tax: 'IGST', supplyType: 'B2B' });
  expect(await decide('recipientGstin=27ZZZCA0001A1Z4&sez=true')).toMatchObject({ tax: 'IGST', supplyType: 'SEZWP' });
  expect(await decide('overseas=true&underLut=true')).toMatchObject({
    tax: 'NONE',
    placeOfSupply: { code: '96', name: 'Other Countries' },
  });
});

test('an unknown path is a 404 with a message, and health says ok', async () => {
  const { status, body, type } = await get('/v1/pincodes/400053');
  expect(status).toBe(404);
  expect(type).toContain('application/problem+json');
  expect(body).toHaveProperty('message', 'The GST Tax Lookup API has no GET /v1/pincodes/400053.');
  expect(await get('/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
});

test('errors contain the request id of the gateway', async () => {
  const reply = await server.inject({ url: '/v1/hsn/1', headers: { 'x-request-id': 'req-1' } });
  expect(reply.json()).toMatchObject({ requestId: 'req-1' });
});
