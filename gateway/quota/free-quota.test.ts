import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, dayOf, startOfDay } from '#shared/domain/day.ts';
import type { Gateway } from '#gateway/gateway.ts';
import { activateAgain, addPack, changePlan, endSold } from '#gateway/test/access.ts';
import {
  createCustomer,
  type Customer,
  type Harness,
  openHarness,
  startTestGateway,
  countStatuses,
} from '#gateway/test/world.ts';

/** Free quota belongs to customer and product (product §7.3), whatever is deleted, ended or activated again, over several gateways. */
let harness: Harness;
const others: Gateway[] = [];
beforeAll(async () => {
  harness = await openHarness();
  for (const dataDir of ['second', 'third']) {
    others.push(await startTestGateway({ ...harness.setup, dataDir: `${harness.setup.dataDir}/${dataDir}` }));
  }
});
afterAll(async () => {
  await Promise.all(others.map((gateway) => gateway.close()));
  await harness.close();
});

const free = { from: 0, to: 30 };

/** Calls until the quota is used up; returns how many succeeded. */
async function callUntilRefused({ key }: Customer, urls = [harness.gateway.url]): Promise<number> {
  for (let succeeded = 0; ; succeeded += 1) {
    const { status } = await harness.call(key, { url: urls[succeeded % urls.length] ?? harness.gateway.url });
    if (status === 429) return succeeded;
    expect(status).toBe(200);
  }
}

async function readUsage({ key }: Customer): Promise<unknown> {
  const response = await fetch(`${harness.gateway.url}/v1/usage`, { headers: { 'x-api-key': key } });
  return response.json();
}

test('deleting an activation and activating again does not renew the free quota of the day', async () => {
  const plan = { ...free, daily: 10, monthly: 100 };
  const first = await createCustomer(harness.database.pool, plan);
  for (let call = 0; call < 6; call += 1) expect((await harness.call(first.key)).status).toBe(200);
  const again = await activateAgain(harness.database, first, plan);
  await expect
    .poll(() => readUsage(again))
    .toMatchObject({
      dailyUse: { quotaUsed: 6, quotaLimit: 10, quotaRemaining: 4 },
      monthlyUse: { quotaUsed: 6, quotaLimit: 100, quotaRemaining: 94 },
    });
  const response = await harness.call(again.key);
  expect([response.status, response.headers['x-ratelimit-remaining']]).toEqual([200, '3']);
  expect(response.headers['ratelimit']).toMatch(/"daily";r=3;t=\d+, "monthly";r=93;/);
  expect(await callUntilRefused(again)).toBe(3);
  const third = await activateAgain(harness.database, again, plan);
  expect(await callUntilRefused(third)).toBe(0);
});

test('after activating again, headers and usage name the end of the window in which the monthly quota is given', async () => {
  const plan = { daily: 10, monthly: 100 };
  const first = await createCustomer(harness.database.pool, { ...plan, from: -10, to: 20 });
  expect((await harness.call(first.key)).status).toBe(200);
  const again = await activateAgain(harness.database, first, { ...plan, from: 0, to: 30 });
  const windowEnd = startOfDay(addDays(dayOf(Date.now()), 20));
  const { headers } = await harness.call(again.key);
  const seconds = Number(/"monthly";r=\d+;t=(\d+)/.exec(String(headers['ratelimit']))?.[1]);
  expect(Math.abs(seconds - (windowEnd - Date.now()) / 1000)).toBeLessThan(10);
  await expect
    .poll(() => readUsage(again))
    .toMatchObject({ monthlyUse: { quotaUsed: 2, renewsAt: new Date(windowEnd).toISOString() } });
});

test('ending a free cycle and adding another does not renew its monthly quota', async () => {
  const plan = { ...free, daily: 1000, monthly: 12 };
  const customer = await createCustomer(harness.database.pool, plan);
  for (let call = 0; call < 8; call += 1) expect((await harness.call(customer.key)).status).toBe(200);
  await changePlan(harness.database, customer, plan);
  expect(await callUntilRefused(customer)).toBe(4);
  await changePlan(harness.database, customer, plan);
  expect(await callUntilRefused(customer)).toBe(0);
});

test('two free plans of a product share their used quota, and each allows no more than its own', async () => {
  const customer = await createCustomer(harness.database.pool, { ...free, daily: 5, monthly: 100 });
  expect(await callUntilRefused(customer)).toBe(5);
  const larger = await activateAgain(harness.database, customer, { ...free, daily: 8, monthly: 100 });
  expect(await callUntilRefused(larger)).toBe(3);
  const smaller = await activateAgain(harness.database, larger, { ...free, daily: 6, monthly: 100 });
  expect(await callUntilRefused(smaller)).toBe(0);
});

test('a paid plan has its own quota, and the free quota is still used up after it', async () => {
  const plan = { ...free, daily: 5, monthly: 100 };
  const customer = await createCustomer(harness.database.pool, plan);
  expect(await callUntilRefused(customer)).toBe(5);
  const paid = await activateAgain(harness.database, customer, { ...free, status: 'PAID', daily: 9, monthly: 100 });
  expect(await callUntilRefused(paid)).toBe(9);
  await endSold(harness.database, paid);
  const again = await activateAgain(harness.database, paid, plan);
  expect(await callUntilRefused(again)).toBe(0);
});

test('deleting a paid plan and buying it again gives no new day', async () => {
  const plan = { ...free, status: 'PAID', daily: 9, monthly: 100 } as const;
  const first = await createCustomer(harness.database.pool, plan);
  expect(await callUntilRefused(first)).toBe(9);
  await endSold(harness.database, first);
  const again = await activateAgain(harness.database, first, { ...plan, daily: 12 });
  await expect.poll(() => readUsage(again)).toMatchObject({ dailyUse: { quotaUsed: 9, quotaRemaining: 3 } });
  expect(await callUntilRefused(again)).toBe(3);
  await endSold(harness.database, again);
  const third = await activateAgain(harness.database, again, plan);
  expect(await callUntilRefused(third)).toBe(0);
  expect(await readUsage(third)).toMatchObject({ monthlyUse: { quotaUsed: 0 } });
});

test.each(['PAID', 'NO_PAYMENT_REQUIRED'] as const)(
  'what a pack gave to an earlier plan (%s) takes nothing from the next one or its pack',
  async (status) => {
    const plan = { ...free, status, daily: 5, monthly: 100 };
    const first = await createCustomer(harness.database.pool, plan);
    await addPack(harness.database, first, 10);
    expect(await callUntilRefused(first)).toBe(15);
    await endSold(harness.database, first);
    const again = await activateAgain(harness.database, first, plan);
    expect(await callUntilRefused(again)).toBe(0);
    await expect.poll(() => readUsage(again)).toMatchObject({ dailyUse: { quotaUsed: 5, quotaLimit: 5 } });
    await addPack(harness.database, again, 10);
    expect(await callUntilRefused(again)).toBe(10);
    await expect
      .poll(() => readUsage(again))
      .toMatchObject({
        dailyUse: { quotaUsed: 15, quotaLimit: 15 },
        monthlyUse: { quotaUsed: status === 'PAID' ? 10 : 15, quotaLimit: 110 },
      });
  },
);

test('a plan that replaces another on a busy day has its pack whole', async () => {
  const plan = { ...free, status: 'PAID', daily: 5, monthly: 100 } as const;
  const customer = await createCustomer(harness.database.pool, plan);
  await addPack(harness.database, customer, 10);
  expect(await callUntilRefused(customer)).toBe(15);
  await endSold(harness.database, customer);
  const next = { ...customer, cycleId: await changePlan(harness.database, customer, { ...plan, daily: 8 }) };
  expect(await callUntilRefused(next)).toBe(3);
  await addPack(harness.database, next, 10);
  expect(await callUntilRefused(next)).toBe(10);
});

test('a trial takes nothing from the free plan that follows it', async () => {
  const trial = { ...free, tenure: 'TRIAL' as const, daily: 7, monthly: 100 };
  const customer = await createCustomer(harness.database.pool, trial);
  expect(await callUntilRefused(customer)).toBe(7);
  const after = await activateAgain(harness.database, customer, { ...free, daily: 5, monthly: 100 });
  expect(await callUntilRefused(after)).toBe(5);
});

test.each([1, 3])('with %i gateways under load, repeated activations get exactly one quota', async (nodes) => {
  const urls = [harness.gateway, ...others].slice(0, nodes).map((gateway) => gateway.url);
  const plan = { ...free, daily: 150, monthly: 1000 };
  let customer = await createCustomer(harness.database.pool, plan);
  let succeeded = 0;
  for (let round = 0; round < 4; round += 1) {
    const { key } = customer;
    const burst = Array.from({ length: 40 }, (_, call) => harness.call(key, { url: urls[call % nodes] ?? '' }));
    // Deleted in the middle: some of its calls succeed, some are refused.
    const next = await activateAgain(harness.database, customer, plan);
    const tally = countStatuses(await Promise.all(burst));
    expect(['200', '401', '402', '429']).toEqual(expect.arrayContaining(Object.keys(tally)));
    succeeded += tally[200] ?? 0;
    customer = next;
  }
  succeeded += await callUntilRefused(customer, urls);
  expect(succeeded).toBe(150);
});

test('the database itself rejects free calls above the quota', async () => {
  const { pool } = harness.database;
  const customer = await createCustomer(pool, { ...free, daily: 3, monthly: 5 });
  expect(await callUntilRefused(customer)).toBe(3);
  const own = `customer_id = (select customer_id from activations where id = '${customer.activationId}')`;
  await expect(
    pool.query(`update quota_counters set taken = taken + 1 where kind = 'free-day' and ${own}`),
  ).rejects.toThrow('quota_counters_within_quota');
  await expect(
    pool.query(`update quota_counters set taken = taken + 3 where kind = 'free-window' and ${own}`),
  ).rejects.toThrow('quota_counters_within_quota');
});
