import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '#gateway/http/server.ts';
import { countStatuses, createCustomer, type Harness, openHarness, usageOf } from '#gateway/test/world.ts';

/** APIs that say odd things about replays. */
const upstream = createServer((req, res) => {
  if (req.url === '/v1/odd')
    res.setHeader('Octroi-Replayed', 'true').setHeader('Octroi-Replay-Of', randomBytes(5000).toString('base64'));
  if (req.url === '/v1/first') res.setHeader('Octroi-Replayed', 'false');
  req.resume().on('end', () => res.end('new work'));
});
let harness: Harness;
beforeAll(async () => {
  harness = await openHarness({ upstream: await listen(upstream, 0, '127.0.0.1') });
});
afterAll(async () => {
  await harness.close();
  upstream.closeAllConnections();
  await once(upstream.close(), 'close');
});

const send = (key: string, path: string, idempotencyKey: string) =>
  harness.call(key, { method: 'POST', path, body: '{}', headers: { 'idempotency-key': idempotencyKey } });

test('a response that names no call as its first is decided by its key, and stops the counting of nobody', async () => {
  const { pool } = harness.database;
  const odd = await createCustomer(pool);
  const other = await createCustomer(pool);
  for (const key of ['a', 'a', 'b']) expect((await send(odd.key, '/odd', key)).status).toBe(200);
  for (const key of ['a', 'b']) expect((await send(other.key, '/ok', key)).status).toBe(200);
  expect(await usageOf(pool, other.activationId)).toMatchObject({ counted: 2 });
  await expect.poll(() => usageOf(pool, odd.activationId)).toEqual({ counted: 2, free: 1 });
});

test('an API that always states whether it replays gives no new work for free', async () => {
  const { pool } = harness.database;
  const customer = await createCustomer(pool, { daily: 3 });
  const responses = [];
  for (let call = 0; call < 5; call += 1) responses.push(await send(customer.key, '/first', 'same'));
  expect(countStatuses(responses)).toEqual({ 200: 3, 429: 2 });
  expect(await usageOf(pool, customer.activationId)).toEqual({ counted: 3, free: 0 });
});
