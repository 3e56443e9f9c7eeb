import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, type House, openHouse } from '#gateway/test/world.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

test('calls that waited for the first units of a key and calls that came a second later do not begin together', async () => {
  const rps = 5;
  const customer = await createCustomer(house.database.pool, { rps });
  const before = house.product.begun();
  const blocker = await house.database.pool.connect();
  await blocker.query('begin');
  await blocker.query('lock table quota_days in exclusive mode');
  const early = Array.from({ length: rps }, () => house.call(customer.key));
  await sleep(1200);
  const late = Array.from({ length: rps }, () => house.call(customer.key));
  await sleep(200);
  await blocker.query('commit');
  blocker.release();
  await Promise.all([...early, ...late]);
  expect(house.product.begun() - before).toBeLessThanOrEqual(rps);
});
