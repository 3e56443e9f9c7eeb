import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createGsp, type GspSettings } from '#products/gsp/gsp.ts';
import { startTestGsp, type TestGsp } from '#products/test-gsp.ts';
import { quietLog, ratesFolder, testNow } from '#products/test-products.ts';
import { createTaxLookup } from '#products/tax-lookup/app.ts';
import { noOfficialList } from '#products/tax-lookup/official-list.ts';
import { readRateTable } from '#products/tax-lookup/rate-files.ts';
import { readTaxpayer } from '#products/tax-lookup/taxpayer.ts';
import { createTaxpayerSearch } from '#products/tax-lookup/taxpayer-search.ts';

let gsp: TestGsp;
beforeAll(async () => {
  gsp = await startTestGsp();
});
afterAll(() => gsp.stop());
afterEach(() => gsp.control('PUT', '/behaviour', {}));

const table = readRateTable(ratesFolder);

async function find(gstin: string, settings?: Partial<GspSettings> | 'off') {
  const search =
    settings === 'off'
      ? undefined
      : createTaxpayerSearch(createGsp({ ...gsp.settings, ...settings }, testNow), testNow);
  const server = await createTaxLookup({
    gatewayUrl: 'x',
    table,
    official: noOfficialList,
    search,
    now: testNow,
    log: quietLog,
  });
  const reply = await server.inject(`/v1/taxpayers/${gstin}`);
  await server.close();
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>(), headers: reply.headers };
}

test('an active taxpayer has our own field values, with days and States, and null where the portal says NA', async () => {
  const { status, body } = await find('27ZZZCA0001A1Z4');
  expect(status).toBe(200);
  expect(body).toEqual({
    gstin: '27ZZZCA0001A1Z4',
    legalName: 'ZENITH SAMPLE PRIVATE LIMITED',
    tradeName: 'ZENITH SAMPLE',
    status: 'active',
    statusText: 'Active',
    type: 'regular',
    typeText: 'Regular',
    constitution: 'Private Limited Company',
    registeredOn: '2017-07-01',
    cancelledOn: null,
    updatedOn: '2026-03-12',
    natureOfBusiness: ['Supplier of Services', 'Office / Sale Office'],
    eInvoice: true,
    jurisdiction: {
      state: { name: 'State - Maharashtra,Zone - X,Division - Y,Charge - Z', code: 'MH001' },
      centre: { name: 'Commissionerate - SAMPLE,Division - I,Range - I', code: 'TZ0101' },
    },
    principalPlace: {
      lines: ['1, 2', 'SAMPLE HOUSE', 'MG ROAD', 'SAMPLE NAGAR'],
      city: null,
      district: 'Mumbai Suburban',
      state: { code: '27', name: 'Maharashtra' },
      pin: '400053',
      nature: ['Supplier of Services', 'Office / Sale Office'],
    },
    additionalPlaces: [],
    fetchedAt: '2026-11-21T06:30:00.000Z',
  });
});

test.each([
  ['07ZZZCA0001A1Z6', { status: 'cancelled', statusText: 'Cancelled suo-moto', cancelledOn: '2025-03-31' }],
  ['33ZZZCA0001A1ZB', { status: 'suspended', cancelledOn: null }],
  ['27ZZZPA0002B1ZA', { status: 'active', type: 'composition', constitution: 'Proprietorship' }],
  ['27ZZZFA0003C2ZR', { type: 'sez_unit' }],
  ['27ZZZCA0001A1CF', { type: 'tax_collector' }],
  ['27ZZZCA0001A1DD', { type: 'tax_deductor' }],
  ['29ZZZCA0001A1Z0', { tradeName: null }],
  ['26ZZZCA0001A1Z6', { tradeName: null, principalPlace: { state: { code: '26' } } }],
  ['97ZZZCA0001A1ZX', { tradeName: null, principalPlace: { pin: null, district: null } }],
])('%s is %j', async (gstin, expected) => {
  expect((await find(gstin)).body).toMatchObject(expected);
});

test('an unknown number is not found, though the portal reports it with status 200', async () => {
  expect(await find('32ZZZCA0001A1ZD')).toMatchObject({
    status: 404,
    body: { status: 404, message: 'The GST portal knows no taxpayer 32ZZZCA0001A1ZD.' },
  });
});

test.each([
  ['24ZZZCA0001A1ZA', 503, 'The GST portal is temporarily unavailable (status 503).', {}],
  ['06ZZZCA0001A1Z8', 504, 'The GST portal did not respond within 0.3 s.', { timeoutMs: 300 }],
  ['09ZZZCA0001A1Z2', 502, 'The GST portal sent an invalid response (status 200).', {}],
  ['19ZZZCA0001A1Z1', 502, 'The GST portal sent an invalid response (status 500).', {}],
])(
  'a portal that fails for %s gives a %i with an explanation and a retry time',
  async (gstin, status, message, settings) => {
    const found = await find(gstin, settings);
    expect(found).toMatchObject({ status, body: { status, message } });
    expect(found.headers['retry-after']).toBe('30');
  },
);

test('a provider that is unreachable, or refuses our account, is not reported as the caller’s error', async () => {
  expect(await find('27ZZZCA0001A1Z4', { url: 'http://127.0.0.1:9' })).toMatchObject({
    status: 503,
    body: { message: 'The GST service provider cannot be reached.' },
  });
  expect(await find('27ZZZCA0001A1Z4', { clientSecret: 'mistyped' })).toMatchObject({
    status: 502,
    body: { message: 'The GST service provider refused our account (status 401).' },
  });
});

test('a token that expired early is renewed, and the search still succeeds', async () => {
  const search = createTaxpayerSearch(createGsp(gsp.settings, testNow), testNow);
  expect(await search('27ZZZCA0001A1Z4')).toMatchObject({ status: 'active' });
  // The provider's clock runs ahead: it has expired the token, we have not.
  await gsp.control('POST', '/clock', { advanceMs: 7 * 3_600_000 });
  expect(await search('27ZZZCA0001A1Z4')).toMatchObject({ status: 'active' });
});

test('without an account live search says that it is switched off, and a mistyped number never leaves the process', async () => {
  expect(await find('27ZZZCA0001A1Z4', 'off')).toMatchObject({ status: 503 });
  expect(await find('27ZZZCA0001A1Z5')).toMatchObject({
    status: 422,
    body: { errors: [{ in: 'path', pointer: '/gstin' }] },
  });
});

test('a response about another taxpayer is rejected', () => {
  expect(readTaxpayer({ gstin: '29ZZZCA0001A1Z0', sts: 'Active' }, '27ZZZCA0001A1Z4', '')).toBeUndefined();
  expect(readTaxpayer({ gstin: '27ZZZCA0001A1Z4' }, '27ZZZCA0001A1Z4', '')).toMatchObject({
    status: 'other',
    principalPlace: null,
    eInvoice: null,
  });
  expect(readTaxpayer('Service unavailable', '27ZZZCA0001A1Z4', '')).toBeUndefined();
});
