import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { failOver, takeBackup } from '#gateway/test/older-backup.ts';
import { findQuotaMismatches } from '#gateway/test/quota-mismatches.ts';
import { useAll } from '#gateway/test/use-all.ts';
import {
  countStatuses,
  createCustomer,
  type Harness,
  openHarness,
  startTestGateway,
  usageOf,
} from '#gateway/test/world.ts';

/** A replica takes over that lacks the last transactions, while gateways run. */
let harness: Harness;
let second: Gateway;
beforeAll(async () => {
  harness = await openHarness();
  second = await startTestGateway({ ...harness.setup, dataDir: `${harness.setup.dataDir}/second` });
});
afterAll(async () => {
  await second.close();
  await harness.close();
});

const countedOf = async (activationId: string): Promise<number> =>
  (await usageOf(harness.database.pool, activationId)).counted;

async function callAll(key: string, calls: number, url = harness.gateway.url): Promise<Record<number, number>> {
  return countStatuses(await Promise.all(Array.from({ length: calls }, () => harness.call(key, { url }))));
}

async function makeCounted(customer: { key: string; activationId: string }, calls: number): Promise<void> {
  const before = await countedOf(customer.activationId);
  expect(await callAll(customer.key, calls)).toEqual({ 200: calls });
  await expect.poll(() => countedOf(customer.activationId)).toBe(before + calls);
}

/** Makes more calls than units are left, all through the gateway that holds none, and expects that it gets every unit. */
async function expectSecondGets(key: string, quota: number): Promise<void> {
  const calls = quota + 10;
  const { used } = await useAll(harness, key, [second.url], { quota, calls }, async () => {
    const responses = await Promise.all(Array.from({ length: calls }, () => harness.call(key, { url: second.url })));
    return responses.map(({ status }) => status);
  });
  expect(used).toBe(quota);
}

/** Another gateway gets exactly this many more calls answered, and then there are none for either. */
async function expectRest(customer: { key: string; activationId: string }, rest: number): Promise<void> {
  const before = await countedOf(customer.activationId);
  await expectSecondGets(customer.key, rest);
  await expect.poll(() => countedOf(customer.activationId)).toBe(before + rest);
  expect(await callAll(customer.key, 1)).toEqual({ 429: 1 });
  expect(await findQuotaMismatches(harness.database)).toEqual([]);
}

test('calls whose count was lost are counted again, once, and exactly the rest of the quota is left for all gateways', async () => {
  const { pool } = harness.database;
  const customer = await createCustomer(pool, { daily: 40 });
  await makeCounted(customer, 5);
  const replica = await takeBackup(pool);
  await makeCounted(customer, 3);
  await failOver(harness.database.owner.pool, replica);
  await expect.poll(() => countedOf(customer.activationId)).toBe(8);
  await makeCounted(customer, 10);
  await expectRest(customer, 22);
});

test('units of a grant that was lost are taken again, and those of a return that was lost are returned', async () => {
  const { pool } = harness.database;
  const granted = await createCustomer(pool, { daily: 40 });
  const returned = await createCustomer(pool, { daily: 40 });
  await makeCounted(returned, 4);
  const replica = await takeBackup(pool);
  await makeCounted(granted, 6);
  // The other gateway takes all of its units.
  await expectSecondGets(returned.key, 36);
  await expect.poll(() => countedOf(returned.activationId)).toBe(40);
  await failOver(harness.database.owner.pool, replica);
  await expect.poll(() => countedOf(granted.activationId)).toBe(6);
  await expect.poll(() => countedOf(returned.activationId)).toBe(40);
  await expectRest(granted, 34);
  expect(await callAll(returned.key, 5)).toEqual({ 429: 5 });
  expect(await callAll(returned.key, 5, second.url)).toEqual({ 429: 5 });
  expect(await findQuotaMismatches(harness.database)).toEqual([]);
});

test('a gateway that notices it only when it counts does the same', async () => {
  const { pool } = harness.database;
  const customer = await createCustomer(pool, { daily: 40 });
  await makeCounted(customer, 5);
  expect(await callAll(customer.key, 1)).toEqual({ 200: 1 });
  await expect.poll(() => countedOf(customer.activationId)).toBe(6);
  for (const statement of [
    'update journals set position = position - 1 where id in (select journal_id from leases where activation_id = $1)',
    'update usage_counts set calls = calls - 1, units = units - 1 where activation_id = $1',
    'update leases set held = held + 1 where activation_id = $1',
  ])
    await pool.query(statement, [customer.activationId]);
  expect(await countedOf(customer.activationId)).toBe(5);
  expect(await callAll(customer.key, 10)).toEqual({ 200: 10 });
  await expect.poll(() => countedOf(customer.activationId)).toBe(16);
  await expectRest(customer, 24);
});

test('a gateway that can’t count answers calls with an Idempotency-Key, says so in its health, and counts all once it can', async () => {
  const { pool } = harness.database;
  const customer = await createCustomer(pool);
  const keyed = (idempotencyKey: string) =>
    harness.call(customer.key, { headers: { 'idempotency-key': idempotencyKey } });
  const health = async (): Promise<unknown> => (await fetch(`${harness.gateway.url}/health`)).json();
  await makeCounted(customer, 1);
  const move = (lines: number) =>
    pool.query(
      'update journals set position = position + $2 where id in (select journal_id from leases where activation_id = $1)',
      [customer.activationId, lines],
    );
  await move(1000);
  expect(await callAll(customer.key, 1)).toEqual({ 200: 1 });
  for (const key of ['one', 'two']) expect((await keyed(key)).status).toBe(200);
  await expect.poll(() => countedOf(customer.activationId)).toBe(3);
  await expect.poll(health).toMatchObject({ status: 'failing', faults: ['counting'] });
  await move(-1000);
  await expect.poll(() => countedOf(customer.activationId)).toBe(4);
  await expect.poll(health).toMatchObject({ status: 'ok' });
});
