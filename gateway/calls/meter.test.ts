import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countingRules } from '#shared/domain/metering.ts';
import { createCustomer, type Harness, openHarness, startTestGateway, usageOf } from '#gateway/test/world.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness({ env: { UPSTREAM_TIMEOUT_MS: '3500', MAX_BODY_BYTES: '2000' } });
});
afterAll(() => harness.close());

const counted = (activationId: string) => usageOf(harness.database.pool, activationId);

test.each([
  ['/status/204', 204],
  ['/status/304', 304],
  ['/status/404', 404],
  ['/status/422', 422],
])('a response of %s counts', async (path, status) => {
  const customer = await createCustomer(harness.database.pool, { daily: 2 });
  const response = await harness.call(customer.key, { path });
  expect(response.status).toBe(status);
  expect(response.headers['x-ratelimit-remaining']).toBe('1');
  await expect.poll(() => counted(customer.activationId)).toEqual({ counted: 1, free: 0 });
});

// Of a plan of two calls, the third attempt would be refused; a slow one takes a time-out each.
test.each([
  ['/status/500', 500],
  ['/status/503', 503],
  ['/status/600', 600],
  ['/status/999', 999],
  ['/status/429', 429],
  ['/reset', 502],
  ['/slow/60000', 504, 2],
])('a response of %s never counts, however often it is sent', async (path, status, attempts = 4) => {
  const customer = await createCustomer(harness.database.pool, { daily: 2 });
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const response = await harness.call(customer.key, { path });
    expect(response.status).toBe(status);
    expect(response.headers['x-ratelimit-remaining']).toBe('2');
  }
  expect((await harness.call(customer.key)).status).toBe(200);
  expect((await harness.call(customer.key)).status).toBe(200);
  expect((await harness.call(customer.key)).status).toBe(429);
  await expect.poll(() => counted(customer.activationId)).toEqual({ counted: 2, free: attempts });
});

test('counts responses according to the metering table, at both ends of each status range', async () => {
  const customer = await createCustomer(harness.database.pool);
  const expected = { counted: 0, free: 0 };
  for (const rule of countingRules) {
    for (const status of new Set([rule.from, rule.to])) {
      const first = countingRules.find(
        (each) => each.from <= status && status <= each.to && each.replayed === rule.replayed,
      );
      if (rule.replayed) {
        const replay = { method: 'POST', headers: { 'idempotency-key': '"a"' }, body: '{}' } as const;
        // The first response under the key counts.
        await harness.call(customer.key, { ...replay, path: '/ok' });
        expected.counted += 1;
        await harness.call(customer.key, { ...replay, path: `/replayed/${status}` });
      } else await harness.call(customer.key, { path: `/status/${status}` });
      expected[first?.counted === true ? 'counted' : 'free'] += 1;
    }
  }
  await expect.poll(() => counted(customer.activationId)).toEqual(expected);
});

test('a caller cannot make a response free by sending the replay header itself', async () => {
  const customer = await createCustomer(harness.database.pool);
  await harness.call(customer.key, { headers: { 'octroi-replayed': 'true', 'idempotency-key': '"a"' } });
  await expect.poll(() => counted(customer.activationId)).toEqual({ counted: 1, free: 0 });
});

test('an unreachable product results in 502 and is not counted', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 1 });
  const dataDir = `${harness.setup.dataDir}/other`;
  const gateway = await startTestGateway({ ...harness.setup, dataDir, productUrl: 'http://127.0.0.1:9' });
  const response = await harness.call(customer.key, { url: gateway.url, method: 'POST', body: 'x'.repeat(500) });
  expect(response).toMatchObject({ status: 502, json: { code: 'upstream-failed' } });
  await gateway.close();
  expect((await harness.call(customer.key)).status).toBe(200);
});

test('a truncated response is cut off for the caller too, and its unit is given back', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 1 });
  await expect(harness.call(customer.key, { path: '/broken' })).rejects.toThrow(/other side closed|terminated/);
  await expect.poll(() => counted(customer.activationId)).toEqual({ counted: 0, free: 1 });
  expect((await harness.call(customer.key)).status).toBe(200);
  expect((await harness.call(customer.key)).status).toBe(429);
  await expect.poll(() => counted(customer.activationId)).toEqual({ counted: 1, free: 1 });
});

test('an abandoned call without a response is not counted, and its unit is available again', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 1 });
  const { port } = new URL(harness.gateway.url);
  const socket = connect(Number(port), '127.0.0.1');
  const before = harness.product.received();
  socket.write(`GET /tax-lookup/v1/slow/60000 HTTP/1.1\r\nHost: a\r\nX-API-Key: ${customer.key}\r\n\r\n`);
  await expect.poll(() => harness.product.received()).toBe(before + 1);
  expect((await harness.call(customer.key)).status).toBe(429);
  socket.destroy();
  await expect.poll(async () => (await harness.call(customer.key)).status).toBe(200);
  await expect.poll(() => counted(customer.activationId)).toEqual({ counted: 1, free: 0 });
});

test('a body that is too large gets 413: before it is read, or, if chunked, once it exceeds the limit', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 1 });
  const refused = await harness.call(customer.key, { method: 'POST', path: '/echo', body: 'x'.repeat(2001) });
  expect(refused).toMatchObject({ status: 413, json: { code: 'body-too-large' } });
  const { Readable } = await import('node:stream');
  const chunks = Readable.from([Buffer.alloc(1500), Buffer.alloc(1500)]);
  expect((await harness.call(customer.key, { method: 'POST', path: '/echo', body: chunks })).status).toBe(413);
  const fits = Readable.from([Buffer.alloc(1000), Buffer.alloc(1000)]);
  expect(await harness.call(customer.key, { method: 'POST', path: '/echo', body: fits })).toMatchObject({
    status: 200,
    json: { bytes: 2000 },
  });
  // Neither a 413 of the gateway nor one of the product counts.
  expect((await harness.call(customer.key, { path: '/status/413' })).status).toBe(429);
  await expect.poll(() => counted(customer.activationId)).toMatchObject({ counted: 1 });
  const other = await createCustomer(harness.database.pool, { daily: 1 });
  const response = await harness.call(other.key, { path: '/status/413' });
  expect(response).toMatchObject({ status: 413, headers: { 'x-ratelimit-remaining': '1' } });
  await expect.poll(() => counted(other.activationId)).toEqual({ counted: 0, free: 1 });
});
