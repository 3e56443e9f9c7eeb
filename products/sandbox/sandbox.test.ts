import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { partiesExample, exampleRequest } from '#products/invoicing/invoice-request.ts';
import type { RunningProducts } from '#products/start-products.ts';
import { startTestProducts } from '#products/test-products.ts';

let products: RunningProducts;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // No account at a GSP: live calls to the government are off, and the sandbox works.
  products = await startTestProducts({ databaseUrl: database.databaseUrl });
});
afterAll(async () => {
  await products.stop();
  await database.close();
});

async function call(url: string, headers: Record<string, string>, body?: object) {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: z.looseObject({}).parse(await response.json()), headers: response.headers };
}
const inTest = (activation = 'ACT-1') => ({ 'x-octroi-activation': activation, 'x-octroi-test': 'true' });
const login = { 'irp-username': 'api_user', 'irp-password': 'api_password' };
const document = (number: string, gstin = '29ZZZCA0001A1Z0') => ({
  ...exampleRequest,
  ...partiesExample,
  recipient: { ...partiesExample.recipient, gstin },
  document: { ...exampleRequest.document, number },
});
const search = (gstin: string, headers: Record<string, string> = inTest()) =>
  call(`${products.taxLookupUrl}/v1/taxpayers/${gstin}`, headers);
const register = (body: object, headers: Record<string, string> = {}) =>
  call(`${products.invoicingUrl}/v1/e-invoices`, { ...inTest(), ...login, ...headers }, body);

test.each([
  ['27ZZZCA0001A1Z4', { status: 'active', type: 'regular' }],
  ['07ZZZCA0001A1Z6', { status: 'cancelled', cancelledOn: '2025-03-31' }],
  ['33ZZZCA0001A1ZB', { status: 'suspended' }],
  ['27ZZZPA0002B1ZA', { type: 'composition', legalName: 'ASHA SAMPLE' }],
  ['27ZZZFA0003C2ZR', { type: 'sez_unit' }],
  ['27ZZZCA0001A1CF', { type: 'tax_collector' }],
  ['27ZZZCA0001A1DD', { type: 'tax_deductor' }],
])('a test key finds %s as documented', async (gstin, expected) => {
  expect(await search(gstin)).toMatchObject({ status: 200, json: { gstin, ...expected } });
});

test.each([
  ['24ZZZCA0001A1ZA', 503],
  ['06ZZZCA0001A1Z8', 504],
  ['09ZZZCA0001A1Z2', 502],
  ['19ZZZCA0001A1Z1', 502],
  ['27AAPFU0939F1ZV', 404],
])('a test key that asks for %s gets %i', async (gstin, status) => {
  expect((await search(gstin)).status).toBe(status);
});

test('a live key never gets a sandbox response', async () => {
  expect((await search('27ZZZCA0001A1Z4', { 'x-octroi-activation': 'ACT-1' })).status).toBe(503);
});

test('a test registration is found, returned as a duplicate, cancelled once, and invisible to everyone else', async () => {
  const body = document('TPX/26-27/000001');
  const first = await register(body);
  expect(first).toMatchObject({ status: 200, json: { duplicate: false, status: 'active' } });
  expect((await register(body)).json).toEqual({ ...first.json, duplicate: true });
  const other = { ...body, items: body.items.map((item) => ({ ...item, quantity: 7 })) };
  expect(await register(other)).toMatchObject({ status: 409, json: { portalCode: '2150' } });
  const irn = String(first.json['irn']);
  const supplier = partiesExample.supplier.gstin;
  const found = (activation: string) =>
    call(`${products.invoicingUrl}/v1/e-invoices/${irn}?gstin=${supplier}`, { ...inTest(activation), ...login });
  expect((await found('ACT-1')).json).toMatchObject({ irn, ackNumber: first.json['ackNumber'] });
  expect((await found('ACT-2')).status).toBe(404);
  const cancel = () =>
    call(
      `${products.invoicingUrl}/v1/e-invoices/${irn}/cancel`,
      { ...inTest(), ...login },
      {
        gstin: supplier,
        reason: 'duplicate',
        remark: 'Twice',
      },
    );
  expect((await cancel()).status).toBe(200);
  expect(await cancel()).toMatchObject({ status: 422, json: { portalCode: '9999' } });
});

test('two processes of the products share the registrations of test keys', async () => {
  const other = await startTestProducts({ databaseUrl: database.databaseUrl });
  try {
    const body = document('TPX/26-27/000002');
    const first = await register(body);
    const again = await call(`${other.invoicingUrl}/v1/e-invoices`, { ...inTest(), ...login }, body);
    expect(again.json).toEqual({ ...first.json, duplicate: true });
    const irn = String(first.json['irn']);
    const place = `${other.invoicingUrl}/v1/e-invoices/${irn}`;
    const cancel = { gstin: partiesExample.supplier.gstin, reason: 'duplicate', remark: 'Twice' };
    expect((await call(`${place}/cancel`, { ...inTest(), ...login }, cancel)).status).toBe(200);
    expect((await register(body)).json).toMatchObject({ status: 'cancelled', ackNumber: first.json['ackNumber'] });
    // Another caller who sends the same document gets the same numbers, and a registration of its own.
    const elsewhere = await call(`${products.invoicingUrl}/v1/e-invoices`, { ...inTest('ACT-3'), ...login }, body);
    expect(elsewhere.json).toMatchObject({
      irn,
      ackNumber: first.json['ackNumber'],
      status: 'active',
      duplicate: false,
    });
  } finally {
    await other.stop();
  }
});

test.each([
  ['a recipient who is not active', document('A/1', '07ZZZCA0001A1Z6'), {}, 422, '3029'],
  ['a wrong login', document('A/2'), { 'irp-password': 'wrong' }, 422, '1008'],
  ['a portal that is down', document('A/3', '24ZZZCA0001A1ZA'), {}, 503, undefined],
  ['a portal that is slow', document('A/4', '06ZZZCA0001A1Z8'), {}, 504, undefined],
])('the sandbox simulates %s', async (_what, body, headers, status, code) => {
  const response = await register(body, headers);
  expect(response.status).toBe(status);
  expect(response.json['portalCode']).toBe(code);
});

const take = (headers: Record<string, string>) =>
  call(
    `${products.invoicingUrl}/v1/numbers`,
    { ...headers, 'idempotency-key': 'order-1' },
    { series: 'TPX', date: '2026-11-02' },
  );

test('numbers and retries of test keys are separate from those of live keys', async () => {
  const live = { 'x-octroi-activation': 'ACT-1' };
  expect((await take(inTest())).json['number']).toBe('TPX/26-27/000001');
  const first = await take(live);
  expect(first.json['number']).toBe('TPX/26-27/000001');
  expect(first.headers.get('octroi-replayed')).toBeNull();
  expect((await take(inTest())).headers.get('octroi-replayed')).toBe('true');
});
