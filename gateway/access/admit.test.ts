import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeApiKey } from '#shared/domain/api-key.ts';
import { addCycle, createCustomer, type Harness, openHarness, usageOf } from '#gateway/test/world.ts';
import { readKey } from './admit.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

const problem = { type: 'about:blank', message: expect.any(String), requestId: expect.stringMatching(/^req_/) };
const unknownKey = makeApiKey(new Uint8Array(60).fill(9));

test.each([
  ['no key', {}, 'key-missing'],
  ['an empty bearer', { authorization: 'Bearer ' }, 'key-malformed'],
  ['another scheme', { authorization: 'Basic dXNlcjpwYXNz' }, 'key-malformed'],
  ['a mistyped key', { 'x-api-key': unknownKey.replace(/.$/, '_') }, 'key-malformed'],
  ['an unknown key', { 'x-api-key': unknownKey }, 'key-invalid'],
  ['two different keys', { 'x-api-key': unknownKey, authorization: 'Bearer other' }, 'keys-differ'],
])('%s gets 401 with a challenge', async (_case, headers, code) => {
  const response = await fetch(`${harness.gateway.url}/tax-lookup/v1/ok`, { headers });
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="API"/);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  expect(await response.json()).toMatchObject({ ...problem, status: 401, code });
});

test('rejects a malformed key before any lookup', () => {
  expect(readKey({ 'x-api-key': unknownKey })).toBe(unknownKey);
  for (const key of [unknownKey.replace(/.$/, '_'), unknownKey.toUpperCase(), `${unknownKey}0`, 'x'.repeat(46), '']) {
    expect(readKey({ 'x-api-key': key })).toMatchObject({ status: 401, code: 'key-malformed' });
  }
});

test('a key in the Authorization header needs the Bearer scheme, in any case, and at most a few spaces', () => {
  for (const header of [`Bearer ${unknownKey}`, `bearer ${unknownKey}`, `BEARER   ${unknownKey}  `]) {
    expect(readKey({ authorization: header })).toBe(unknownKey);
    expect(readKey({ authorization: header })).toBe(unknownKey);
  }
  for (const header of [
    unknownKey,
    `Basic ${unknownKey}`,
    `Bearer${unknownKey}`,
    `Bearer ${' '.repeat(200)}${unknownKey}`,
  ]) {
    expect(readKey({ authorization: header })).toMatchObject({ status: 401, code: 'key-malformed' });
  }
});

test('a key in both headers is one key', async () => {
  const customer = await createCustomer(harness.database.pool);
  const response = await harness.call(customer.key, { headers: { authorization: `Bearer ${customer.key}` } });
  expect(response.status).toBe(200);
});

test('a key of another API gets 403', async () => {
  const customer = await createCustomer(harness.database.pool, { service: 'invoicing-system' });
  const response = await harness.call(customer.key);
  expect(response).toMatchObject({ status: 403, json: { ...problem, code: 'key-of-other-api' } });
});

test('a paid plan gives access like a free one', async () => {
  const customer = await createCustomer(harness.database.pool, { status: 'PAID' });
  expect((await harness.call(customer.key)).status).toBe(200);
});

test('an activation under an alias of a product gives access to that product', async () => {
  const customer = await createCustomer(harness.database.pool, { service: 'tax-lookup' });
  expect((await harness.call(customer.key)).status).toBe(200);
});

test.each([
  [
    'is not paid',
    { status: 'PAYMENT_PENDING' },
    /Growth is not paid yet. Pay for it at http:\/\/localhost:4000\/activations\/ACT-\w+\/billing/,
  ],
  ['is over', { from: -30, to: 0 }, /ended on \d{4}-\d\d-\d\d, 00:00 IST/],
  ['has not started', { from: 1, to: 31 }, /starts on \d{4}-\d\d-\d\d/],
  ['was deactivated', { status: 'DEACTIVATED' }, /No plan is running/],
] as const)('a plan that %s gets 402 with what to do', async (_case, terms, message) => {
  const customer = await createCustomer(harness.database.pool, terms);
  const response = await harness.call(customer.key);
  expect(response).toMatchObject({ status: 402, json: { ...problem, code: 'no-running-plan' } });
  expect(response.json).toHaveProperty('message', expect.stringMatching(message));
});

test('cycles start and end by date alone: the next one runs after the previous one ended', async () => {
  const customer = await createCustomer(harness.database.pool, { from: -30, to: 0, daily: 1 });
  await addCycle(harness.database.pool, customer.activationId, { from: 0, to: 30, daily: 77 });
  const response = await harness.call(customer.key);
  expect(response.status).toBe(200);
  expect(response.headers['ratelimit']).toContain('"daily";r=76;');
});

test.each(['/', '/tax-lookup', '/tax-lookup/', '/tax-lookup/internal', '/unknown/v1/ok', '/tax-lookup/v1x', '/v1/ok'])(
  'the path %s gets 404 without a key',
  async (path) => {
    const response = await fetch(harness.gateway.url + path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ ...problem, code: 'path-unknown' });
  },
);

test('a refused call is never counted', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 1 });
  for (let call = 0; call < 5; call += 1) await harness.call(customer.key);
  await expect.poll(() => usageOf(harness.database.pool, customer.activationId)).toEqual({ counted: 1, free: 0 });
});

test('CORS allows pages of the portal and no other origin', async () => {
  const preflight = (origin: string) =>
    fetch(`${harness.gateway.url}/tax-lookup/v1/ok`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-api-key' },
    });
  const allowed = await preflight('http://localhost:4000');
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get('access-control-allow-origin')).toBe('http://localhost:4000');
  expect(allowed.headers.get('access-control-allow-headers')).toBe(
    'Authorization, Content-Type, X-API-Key, Idempotency-Key, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range, Range',
  );
  expect((await preflight('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  const customer = await createCustomer(harness.database.pool);
  const response = await harness.call(customer.key, { headers: { origin: 'http://localhost:4000' } });
  expect(response.headers['access-control-expose-headers']).toContain('RateLimit');
});

test('/health needs no key', async () => {
  await expect
    .poll(async () => {
      const response = await fetch(`${harness.gateway.url}/health`);
      return { status: response.status, body: await response.json() };
    })
    .toEqual({ status: 200, body: { status: 'ok' } });
});
