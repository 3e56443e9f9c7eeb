import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCalls } from '#shared/domain/logged-call.ts';
import type { Gateway } from '#gateway/gateway.ts';
import { findQuotaMismatches } from '#gateway/test/quota-mismatches.ts';
import {
  createCustomer,
  type Customer,
  type Harness,
  openHarness,
  startTestGateway,
  usageOf,
} from '#gateway/test/world.ts';

/** The database decides about a call with an Idempotency-Key after its caller has got 503. */
let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

let gateways = 0;
const startImpatient = (): Promise<Gateway> => {
  const dataDir = `${harness.setup.dataDir}/impatient-${(gateways += 1)}`;
  return startTestGateway({ ...harness.setup, dataDir }, { env: { DATABASE_TIMEOUT_MS: '3000' } });
};

/** Makes one counted call, after which the gateway holds the key and more units: the next calls ask the database only whether they count. */
async function warmUp({ activationId, key }: Customer, url: string): Promise<void> {
  await expect.poll(async () => (await harness.call(key, { url })).status).toBe(200);
  await expect.poll(() => usageOf(harness.database.pool, activationId)).toEqual({ counted: 1, free: 0 });
}

/** Runs `work` while the database can't decide; `waits`: whether a decision waits for it. */
async function whileUndecided(work: (waits: () => Promise<boolean>) => Promise<void>): Promise<void> {
  const { pool } = harness.database;
  const blocker = await pool.connect();
  try {
    await blocker.query('begin; lock table counted_responses in exclusive mode');
    await work(async () => {
      const { rows } = await pool.query(
        "select from pg_locks where relation = 'counted_responses'::regclass and not granted",
      );
      return rows.length > 0;
    });
    await blocker.query('commit');
  } finally {
    blocker.release();
  }
}

const send = (key: string, url: string, path: string, idempotencyKey: string) =>
  harness.call(key, { method: 'POST', url, path, body: '{}', headers: { 'idempotency-key': idempotencyKey } });

test('calls that got 503 since the database decided too late are not counted, and the log keeps the 503', async () => {
  const { pool } = harness.database;
  const customer = await createCustomer(pool, { daily: 10 });
  const { activationId, key } = customer;
  const gateway = await startImpatient();
  await warmUp(customer, gateway.url);
  const refusals: unknown[] = [];
  await whileUndecided(async (waits) => {
    const sent = send(key, gateway.url, '/ok', 'sent');
    await expect.poll(waits).toBe(true);
    for (const response of [await send(key, gateway.url, '/ok', 'not sent'), await sent]) {
      expect(response).toMatchObject({ status: 503, json: { code: 'cannot-check' } });
      refusals.push(response.json);
    }
  });
  // A machine that stands still after that may get more 503.
  let later = 0;
  const callLater = () => send(key, gateway.url, '/ok', `later ${(later += 1)}`);
  await expect.poll(async () => (await callLater()).status).toBe(200);
  // Sends and writes everything.
  await gateway.close();
  expect(await usageOf(pool, activationId)).toEqual({ counted: 2, free: 0 });
  const { rows } = await pool.query<{ day: string; dictionary: string; records: Buffer }>(
    'select day::text, dictionary, records from request_log where activation_id = $1',
    [activationId],
  );
  const calls = rows.flatMap(({ day, dictionary, records }) => readCalls(day, dictionary, records));
  expect(calls.map(({ status, units, reason }) => `${status} ${units} ${reason}`).toSorted()).toEqual([
    '200 1 answered',
    '200 1 answered',
    ...Array<string>(refusals.length + later - 1).fill('503 0 refused'),
  ]);
  const message = expect.stringContaining('reached the API, but the gateway could not count it');
  expect(refusals).toEqual([expect.objectContaining({ message }), expect.objectContaining({ message })]);
  expect(await findQuotaMismatches(harness.database)).toEqual([]);
});

test('the first replay of such a response counts, and exactly the quota is used', async () => {
  const { pool } = harness.database;
  const customer = await createCustomer(pool, { daily: 3 });
  const { activationId, key } = customer;
  const gateway = await startImpatient();
  await warmUp(customer, gateway.url);
  const call = async () => (await send(key, gateway.url, '/remembers/0', activationId)).status;
  await whileUndecided(async () => expect(await call()).toBe(503));
  await expect.poll(() => usageOf(pool, activationId)).toEqual({ counted: 1, free: 0 });
  await expect.poll(call).toBe(201);
  await expect.poll(() => usageOf(pool, activationId)).toEqual({ counted: 2, free: 0 });
  await expect.poll(call).toBe(201);
  await expect.poll(() => usageOf(pool, activationId)).toEqual({ counted: 2, free: 1 });
  const statusOfCall = async () => (await harness.call(key, { url: gateway.url })).status;
  await expect.poll(statusOfCall).toBe(200);
  await expect.poll(statusOfCall).toBe(429);
  await gateway.close();
  expect(await usageOf(pool, activationId)).toMatchObject({ counted: 3 });
  expect(await findQuotaMismatches(harness.database)).toEqual([]);
});
