import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '#gateway/http/server.ts';
import { changeAccessOf } from '#gateway/test/access.ts';
import { createCustomer, type Harness, openHarness, countStatuses, usageOf } from '#gateway/test/world.ts';

/** Responses that break off some time after they were counted, when the gateway has released their lease. */

const partial: ServerResponse[] = [];
const upstream = createServer((req, res) => {
  if (req.url?.endsWith('/whole') === true) return res.end('whole');
  res.writeHead(200, { 'Content-Length': '100000' });
  res.write('a part');
  return partial.push(res);
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

const held = async (activationId: string): Promise<number> => {
  const { rows } = await harness.database.pool.query<{ held: number }>(
    'select coalesce(sum(held), 0)::int as held from leases where activation_id = $1',
    [activationId],
  );
  return rows[0]?.held ?? 0;
};

test.each([
  ['its lease was removed', 0],
  ['a new lease has replaced it', 1],
])('the unit of a response that breaks off after %s can be used again', async (_when, callsBetween) => {
  const { activationId, key } = await createCustomer(harness.database.pool, { daily: 5 });
  const breaking = harness.call(key, { path: '/breaks' }).catch(() => 'broke off');
  await expect.poll(() => usageOf(harness.database.pool, activationId)).toEqual({ counted: 1, free: 0 });
  await changeAccessOf(harness.database, activationId, () => Promise.resolve());
  await expect.poll(() => held(activationId)).toBe(0);

  const call = () => harness.call(key, { path: '/whole' });
  for (let calls = 0; calls < callsBetween; calls += 1) expect((await call()).status).toBe(200);
  partial.pop()?.destroy();
  expect(await breaking).toBe('broke off');
  await expect.poll(() => usageOf(harness.database.pool, activationId)).toEqual({ counted: callsBetween, free: 1 });

  const rest = [];
  for (let calls = callsBetween; calls < 6; calls += 1) rest.push(await call());
  expect(countStatuses(rest)).toEqual({ 200: 5 - callsBetween, 429: 1 });
});

test('what is left is right after a response breaks off that the database counted, also when a block is taken before the unit is back', async () => {
  const { pool } = harness.database;
  const { activationId, key } = await createCustomer(pool, { daily: 1000 });
  const breaking = harness
    .call(key, { method: 'POST', path: '/breaks', headers: { 'idempotency-key': 'one' } })
    .catch(() => 'broke off');
  await expect.poll(() => usageOf(pool, activationId)).toEqual({ counted: 1, free: 0 });
  const taken = async (): Promise<number> => {
    const { rows } = await pool.query<{ taken: number }>('select taken from quota_counters where scope_id = $1', [
      activationId,
    ]);
    return rows[0]?.taken ?? 0;
  };
  const firstBlock = await taken();

  const holdsBack = await pool.connect();
  try {
    await holdsBack.query('begin');
    await holdsBack.query('select pg_advisory_xact_lock(hashtextextended($1, 21))', [
      `${activationId} ${createHash('sha256').update('one').digest('hex')}`,
    ]);
    partial.pop()?.destroy();
    expect(await breaking).toBe('broke off');
    for (let calls = 0; calls < firstBlock; calls += 1)
      expect((await harness.call(key, { path: '/whole' })).status).toBe(200);
    await expect.poll(taken).toBeGreaterThan(firstBlock);
    await holdsBack.query('commit');
  } finally {
    holdsBack.release();
  }
  await expect.poll(() => usageOf(pool, activationId)).toEqual({ counted: firstBlock, free: 1 });
  const { headers } = await harness.call(key, { path: '/whole' });
  expect(headers['x-ratelimit-remaining']).toBe(String(1000 - firstBlock - 1));
});
