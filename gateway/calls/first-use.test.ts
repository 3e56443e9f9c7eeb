import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type Harness, openHarness, startTestGateway, usageOf } from '#gateway/test/world.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

test('calls that waited for the first units of a key do not exceed its rate limit together with later calls', async () => {
  const rps = 5;
  const customer = await createCustomer(harness.database.pool, { rps });
  const before = harness.product.received();
  const blocker = await harness.database.pool.connect();
  await blocker.query('begin');
  await blocker.query('lock table quota_counters in exclusive mode');
  const early = Array.from({ length: rps }, () => harness.call(customer.key));
  await sleep(1200);
  const late = Array.from({ length: rps }, () => harness.call(customer.key));
  await sleep(200);
  const grantedAt = performance.now();
  await blocker.query('commit');
  blocker.release();
  await Promise.all([...early, ...late]);
  // On a machine that stands still, the late calls may arrive in the next second.
  const seconds = Math.ceil((performance.now() - grantedAt) / 1000);
  expect(harness.product.received() - before).toBeLessThanOrEqual(rps * seconds);
});

test.each([
  ['its key', 'api_keys', 'access exclusive'],
  ['quota', 'quota_counters', 'exclusive'],
])(
  'a call that waits for %s longer than DATABASE_TIMEOUT_MS is refused and not counted',
  async (_what, table, mode) => {
    const place = { ...harness.setup, dataDir: `${harness.setup.dataDir}/timeout-${table}` };
    const { url, close } = await startTestGateway(place, { env: { DATABASE_TIMEOUT_MS: '300' } });
    const customer = await createCustomer(harness.database.pool);
    const blocker = await harness.database.pool.connect();
    try {
      await blocker.query('begin');
      await blocker.query(`lock table ${table} in ${mode} mode`);
      const refused = await harness.call(customer.key, { url });
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
      expect(refused.json).toMatchObject({ code: 'cannot-check' });
      await blocker.query('commit');
      await expect.poll(async () => (await harness.call(customer.key, { url })).status).toBe(200);
      await expect.poll(() => usageOf(harness.database.pool, customer.activationId)).toEqual({ counted: 1, free: 0 });
    } finally {
      blocker.release();
      await close();
    }
  },
);
