import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Gateway } from '#gateway/gateway.ts';
import {
  expectLimited,
  addKey,
  type TestResponse,
  createCustomer,
  type Harness,
  openHarness,
  startTestGateway,
  countStatuses,
  usageOf,
} from '#gateway/test/world.ts';

let harness: Harness;
let second: Gateway;
beforeAll(async () => {
  const env = { TRUSTED_PROXIES: '127.0.0.1', TEST_KEY_RPS: '3' };
  harness = await openHarness({ env });
  second = await startTestGateway({ ...harness.setup, dataDir: `${harness.setup.dataDir}/second` }, { env });
});
afterAll(async () => {
  await second.close();
  await harness.close();
});

/** Concurrent calls, alternating between both gateways. */
const burst = (key: string, calls: number): Promise<TestResponse[]> =>
  Promise.all(
    Array.from({ length: calls }, (_, index) =>
      harness.call(key, { url: index % 2 === 0 ? harness.gateway.url : second.url }),
    ),
  );

test('a key works until it expires', async () => {
  const { activationId } = await createCustomer(harness.database.pool);
  const { key } = await addKey(harness.database.pool, activationId, { expiresInMs: 4000 });
  expect((await harness.call(key)).status).toBe(200);
  await expect.poll(async () => (await harness.call(key)).status, { interval: 100 }).toBe(401);
  expect((await harness.call(key)).json).toMatchObject({
    code: 'key-expired',
    message: expect.stringContaining('expired at'),
  });
});

test('a key with allowed addresses works from those only, as reported by a trusted proxy', async () => {
  const { activationId } = await createCustomer(harness.database.pool);
  const { key } = await addKey(harness.database.pool, activationId, {
    allowedIps: ['203.0.113.0/24', '2001:db8::/32'],
  });
  const from = (address: string) => harness.call(key, { headers: { 'x-forwarded-for': address } });
  expect((await from('203.0.113.9')).status).toBe(200);
  expect((await from('2001:db8::1')).status).toBe(200);
  expect(await from('198.51.100.1')).toMatchObject({
    status: 403,
    json: { code: 'address-not-allowed', message: expect.stringContaining('198.51.100.1') },
  });
  expect((await from('203.0.113.9, 198.51.100.1')).status).toBe(403);
});

test("a key's daily cap is exact over several gateways, and leaves the rest of the plan to other keys", async () => {
  const { activationId, key: other } = await createCustomer(harness.database.pool, { daily: 100 });
  const { key } = await addKey(harness.database.pool, activationId, { dailyCap: 37 });
  const responses = await burst(key, 80);
  expect(countStatuses(responses)).toEqual({ 200: 37, 429: 43 });
  const refused = responses.find((response) => response.status === 429);
  expect(refused?.json).toMatchObject({
    'violated-policies': ['key'],
    message: expect.stringContaining('All 37 calls'),
  });
  expect(refused?.headers['ratelimit']).toContain('"key";r=0;');
  expect(countStatuses(await burst(other, 80))).toEqual({ 200: 63, 429: 17 });
  await expect.poll(() => usageOf(harness.database.pool, activationId)).toEqual({ counted: 100, free: 0 });
});

test('any key of a plan can use its last calls, with or without a cap', async () => {
  const { activationId, key: other } = await createCustomer(harness.database.pool, { daily: 30 });
  const { key } = await addKey(harness.database.pool, activationId, { dailyCap: 1000 });
  const both = await Promise.all([burst(key, 25), burst(other, 25)]);
  expect(countStatuses(both.flat())).toEqual({ 200: 30, 429: 20 });
});

test('a failure of the product also gives a unit back to the cap', async () => {
  const { activationId } = await createCustomer(harness.database.pool);
  const { key } = await addKey(harness.database.pool, activationId, { dailyCap: 1 });
  for (let call = 0; call < 3; call += 1) expect((await harness.call(key, { path: '/status/500' })).status).toBe(500);
  expect((await harness.call(key)).status).toBe(200);
  expect((await harness.call(key)).status).toBe(429);
});

test('calls counted before a cap was set count towards it', async () => {
  const { activationId, key, keyId } = await createCustomer(harness.database.pool);
  await burst(key, 5);
  await expect.poll(() => usageOf(harness.database.pool, activationId)).toMatchObject({ counted: 5 });
  await harness.database.pool.query(`update api_keys set daily_cap = 7 where id = $1`, [keyId]);
  await harness.database.pool.query(`select pg_notify('access', 'activation ' || $1::text)`, [activationId]);
  // These calls fail, so they don't use the cap.
  const policyAt = async (url: string) =>
    (await harness.call(key, { url, path: '/status/500' })).headers['ratelimit-policy'];
  for (const url of [harness.gateway.url, second.url]) await expect.poll(() => policyAt(url)).toContain('"key";q=7');
  expect(countStatuses(await burst(key, 8))).toEqual({ 200: 2, 429: 6 });
});

test('a test key needs no plan, takes nothing from one, and is marked for the product and the caller', async () => {
  const { activationId } = await createCustomer(harness.database.pool, { status: 'PAYMENT_PENDING' });
  const { key } = await addKey(harness.database.pool, activationId, { test: true });
  const response = await harness.call(key, { path: '/echo', headers: { 'x-octroi-plan': 'scale' } });
  expect(response).toMatchObject({ status: 200, headers: { 'octroi-mode': 'test' } });
  const { headers } = z.object({ headers: z.array(z.string()) }).parse(response.json);
  expect(headers.slice(headers.indexOf('X-Octroi-Plan'))).toEqual(['X-Octroi-Plan', 'test', 'X-Octroi-Test', 'true']);
  expect(await usageOf(harness.database.pool, activationId)).toEqual({ counted: 0, free: 0 });
});

test('headers of the caller never make a call a test, and test keys have their own rate limit', async () => {
  const { activationId, key: live } = await createCustomer(harness.database.pool);
  const echoed = await harness.call(live, {
    path: '/echo',
    headers: { 'x-octroi-test': 'true', 'octroi-mode': 'test' },
  });
  expect(echoed.text.toLowerCase()).not.toContain('x-octroi-test');
  expect(echoed.headers['octroi-mode']).toBeUndefined();
  const { key } = await addKey(harness.database.pool, activationId, { test: true });
  await expectLimited(3, 6, () => harness.call(key));
});
