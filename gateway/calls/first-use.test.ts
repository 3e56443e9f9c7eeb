import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type Harness, openHarness } from '#gateway/test/world.ts';

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
  await blocker.query('lock table quota_days in exclusive mode');
  const early = Array.from({ length: rps }, () => harness.call(customer.key));
  await sleep(1200);
  const late = Array.from({ length: rps }, () => harness.call(customer.key));
  await sleep(200);
  await blocker.query('commit');
  blocker.release();
  await Promise.all([...early, ...late]);
  expect(harness.product.received() - before).toBeLessThanOrEqual(rps);
});
