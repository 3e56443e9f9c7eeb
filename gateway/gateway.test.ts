import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  countStatuses,
  createCustomer,
  expectLimited,
  type Harness,
  openHarness,
  usageOf,
} from '#gateway/test/world.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

const counted = (activationId: string) => usageOf(harness.database.pool, activationId);

test('a call with a key reaches the product and is counted within two seconds', async () => {
  const customer = await createCustomer(harness.database.pool);
  expect(await harness.call(customer.key)).toMatchObject({ status: 200, text: '{"ok":true}' });
  await expect.poll(() => counted(customer.activationId)).toEqual({ counted: 1, free: 0 });
});

test.each([
  ['daily', { daily: 500 }],
  ['monthly', { monthly: 500 }],
])(
  'of 1,000 concurrent calls with a %s quota of 500, exactly 500 succeed and 500 are refused',
  async (policy, terms) => {
    const customer = await createCustomer(harness.database.pool, terms);
    const responses = await Promise.all(Array.from({ length: 1000 }, () => harness.call(customer.key)));
    expect(countStatuses(responses)).toEqual({ 200: 500, 429: 500 });
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.json).toMatchObject({ 'violated-policies': [policy] });
    await expect.poll(() => counted(customer.activationId)).toEqual({ counted: 500, free: 0 });
    expect((await harness.call(customer.key)).status).toBe(429);
  },
);

test('the remaining quota in the headers counts down by one, to the last call', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 30, monthly: 100 });
  for (let left = 29; left >= 0; left -= 1) {
    const { headers, status } = await harness.call(customer.key);
    expect(status).toBe(200);
    expect(headers['ratelimit']).toMatch(new RegExp(`"daily";r=${left};t=\\d+, "monthly";r=${left + 70};t=\\d+`));
    expect(headers['x-ratelimit-remaining']).toBe(String(left));
  }
  const refused = await harness.call(customer.key);
  expect(refused.status).toBe(429);
  expect(refused.headers['ratelimit']).toMatch(/"daily";r=0;t=\d+, "monthly";r=70;t=\d+/);
});

test('the headers have the policies and resets of the plan', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 30, monthly: 10, rps: 7 });
  const { headers } = await harness.call(customer.key);
  expect(headers['ratelimit-policy']).toBe('"second";q=7;w=1, "daily";q=30;w=86400, "monthly";q=10;w=2592000');
  expect(headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9' });
  const reset = Number(headers['x-ratelimit-reset']) - Date.now() / 1000;
  // The cycle ends 27 days after the start of today.
  expect(reset).toBeGreaterThan(26 * 86_400);
  expect(reset).toBeLessThanOrEqual(27 * 86_400);
});

test('admits no more calls per second than the plan allows, and refusals have Retry-After', async () => {
  const customer = await createCustomer(harness.database.pool, { rps: 5 });
  const { responses, admitted } = await expectLimited(5, 20, () => harness.call(customer.key));
  const refused = responses.find(({ status }) => status === 429);
  expect(refused?.json).toMatchObject({ 'violated-policies': ['second'] });
  expect(refused?.headers['retry-after']).toBe('1');
  await expect.poll(() => counted(customer.activationId)).toEqual({ counted: admitted, free: 0 });
});

test('unused units are released after ten seconds', async () => {
  const customer = await createCustomer(harness.database.pool);
  await harness.call(customer.key);
  const taken = () =>
    harness.database.pool.query(`select taken from quota_counters where kind = 'cycle' and scope_id = $1`, [
      customer.cycleId,
    ]);
  expect((await taken()).rows).toEqual([{ taken: 4 }]);
  await expect.poll(async () => (await taken()).rows).toEqual([{ taken: 1 }]);
  const held = await harness.database.pool.query('select 1 from leases where activation_id = $1', [
    customer.activationId,
  ]);
  expect(held.rows).toEqual([]);
});

test.each(['/openapi.json', '/tax-lookup/openapi.json'])(
  'the document at %s is sent compressed to callers that accept it, and not at all to those that have it',
  async (path) => {
    const url = harness.gateway.url + path;
    const read = async (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') => {
      const { statusCode: status, headers: got, body } = await request(url, { method, headers });
      return { status, got, body: Buffer.from(await body.arrayBuffer()) };
    };
    const plain = await read({});
    expect(plain.got['content-encoding']).toBeUndefined();
    const packed = await read({ 'accept-encoding': 'br;q=1.0, gzip;q=0.8' });
    expect(packed.got).toMatchObject({ 'content-encoding': 'gzip', etag: plain.got.etag });
    expect(packed.body.length).toBeLessThan(plain.body.length / 2);
    expect(gunzipSync(packed.body)).toEqual(plain.body);
    expect((await read({ 'accept-encoding': 'gzip;q=0' })).body).toEqual(plain.body);
    const head = await read({ 'accept-encoding': 'gzip' }, 'HEAD');
    expect([head.body.length, head.got['content-length']]).toEqual([0, String(packed.body.length)]);
    const etag = String(plain.got.etag);
    for (const tag of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
      const known = await read({ 'if-none-match': tag });
      expect([tag, known.status, known.body.length, known.got.etag]).toEqual([tag, 304, 0, etag]);
    }
    expect((await read({ 'if-none-match': 'W/"other"' })).status).toBe(200);
  },
);

const callProduct = (path: string, method = 'GET') => fetch(`${harness.gateway.url}/tax-lookup${path}`, { method });

test('the OpenAPI document of a product names the gateway instead of its own address and needs no key; everything else does', async () => {
  const reference = await callProduct('/openapi.json');
  expect(reference.status).toBe(200);
  expect(await reference.json()).toMatchObject({
    info: { title: 'Test' },
    servers: [{ url: 'http://localhost:4100/tax-lookup' }],
    paths: { '/v1/ok': { get: {} } },
  });
  expect((await callProduct('/openapi.json', 'POST')).status).toBe(405);
  expect((await callProduct('/openapi.json/v1/ok')).status).toBe(404);
  expect((await callProduct('/v1/openapi.json')).status).toBe(401);
});
