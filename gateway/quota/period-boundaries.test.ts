import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addDays, dayOf, startOfDay } from '#shared/domain/day.ts';
import { changeAccessOf } from '#gateway/test/access.ts';
import { addCycle, createCustomer, type Harness, openHarness, countStatuses, usageOf } from '#gateway/test/world.ts';

let offsetMs = 0;
let harness: Harness;
beforeAll(async () => {
  harness = await openHarness({ now: () => Date.now() + offsetMs });
});
afterAll(() => harness.close());

/** Long enough that calls on a busy machine are over before midnight. */
const minuteMs = 60_000;

/** Sets the gateway's clock to `ms` before a coming midnight in India, and returns that midnight. */
const beforeMidnight = (ms: number, daysAhead = 1): number => {
  const midnight = startOfDay(addDays(dayOf(Date.now()), daysAhead));
  offsetMs = midnight - ms - Date.now();
  return midnight;
};

test('the daily quota resets at 00:00 IST and the monthly quota does not', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 3, monthly: 5 });
  const midnight = beforeMidnight(minuteMs);
  const before = await Promise.all([1, 2, 3, 4].map(() => harness.call(customer.key)));
  expect(countStatuses(before)).toEqual({ 200: 3, 429: 1 });
  const refused = before.find(({ status }) => status === 429);
  const leftMs = midnight - Date.now() - offsetMs;
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(Math.floor(leftMs / 1000));
  expect(Number(refused?.headers['retry-after'])).toBeLessThanOrEqual(60);
  beforeMidnight(-1);
  const after = await Promise.all([1, 2, 3].map(() => harness.call(customer.key)));
  expect(countStatuses(after)).toEqual({ 200: 2, 429: 1 });
  expect(after.find(({ status }) => status === 429)?.json).toMatchObject({ 'violated-policies': ['monthly'] });
});

test('under load across midnight, each day allows exactly its quota', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 300, from: 0 });
  beforeMidnight(minuteMs);
  const first = dayOf(Date.now() + offsetMs);
  let answered = 0;
  const send = (count: number) =>
    Array.from({ length: count }, () => harness.call(customer.key).finally(() => (answered += 1)));
  const answers = send(450);
  await vi.waitUntil(() => answered >= 350, { interval: 1, timeout: 60_000 });
  // Midnight passes while calls are in flight.
  beforeMidnight(-1);
  answers.push(...send(450));
  expect(countStatuses(await Promise.all(answers))[200]).toBe(600);
  const readDays = async () =>
    harness.database.pool.query(
      'select day, sum(calls) as calls from usage_counts where activation_id = $1 and counted group by day order by day',
      [customer.activationId],
    );
  await expect
    .poll(async () => (await readDays()).rows)
    .toEqual([
      { day: first, calls: 300 },
      { day: addDays(first, 1), calls: 300 },
    ]);
});

test('a clock that goes backwards grants no unit twice', async () => {
  const customer = await createCustomer(harness.database.pool, { daily: 2, from: 0 });
  for (const [ms, granted] of [
    [minuteMs, 2],
    [-minuteMs, 2],
    [minuteMs, 0],
    [-minuteMs, 0],
  ] as const) {
    beforeMidnight(ms);
    const answers = await Promise.all([1, 2, 3].map(() => harness.call(customer.key)));
    expect(countStatuses(answers)[200] ?? 0).toBe(granted);
  }
});

test('the next cycle starts on its date, with its own plan', async () => {
  const customer = await createCustomer(harness.database.pool, { from: -29, to: 1, monthly: 2, daily: 50 });
  const next = await addCycle(harness.database.pool, customer.activationId, { from: 1, to: 31, monthly: 3, daily: 3 });
  beforeMidnight(minuteMs);
  expect(countStatuses(await Promise.all([1, 2, 3, 4].map(() => harness.call(customer.key))))).toEqual({
    200: 2,
    429: 2,
  });
  beforeMidnight(-minuteMs);
  expect(countStatuses(await Promise.all([1, 2, 3, 4].map(() => harness.call(customer.key))))).toEqual({
    200: 3,
    429: 1,
  });
  beforeMidnight(0, 31);
  expect((await harness.call(customer.key)).status).toBe(402);
  await expect.poll(() => usageOf(harness.database.pool, customer.activationId)).toEqual({ counted: 5, free: 0 });
  const taken = await harness.database.pool.query(`select taken from quota_counters where scope_id = $1`, [next]);
  expect(taken.rows).toEqual([{ taken: 3 }]);
});

test('a deactivated free plan ends at once, and the next one continues the counts of day and month', async () => {
  offsetMs = 0;
  const { pool } = harness.database;
  const customer = await createCustomer(pool, { from: 0, daily: 10, monthly: 50 });
  await Promise.all(Array.from({ length: 6 }, () => harness.call(customer.key)));
  const ended = await changeAccessOf(harness.database, customer.activationId, (tx) =>
    tx.updateTable('cycles').set({ status: 'DEACTIVATED' }).where('id', '=', customer.cycleId).execute(),
  );
  expect(ended).toBe(true);
  expect((await harness.call(customer.key)).status).toBe(402);
  const added = await changeAccessOf(harness.database, customer.activationId, () =>
    addCycle(pool, customer.activationId, { from: 0, daily: 8, monthly: 50 }),
  );
  expect(added).toBe(true);
  const answers = [];
  for (let call = 0; call < 3; call += 1) answers.push(await harness.call(customer.key));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(answers[0]?.headers['ratelimit']).toMatch(/"daily";r=1;t=\d+, "monthly";r=43;/);
});

test('a gateway with a slow clock counts on the day that a portal has reached', async () => {
  offsetMs = 0;
  const { pool } = harness.database;
  // The plan begins tomorrow.
  const customer = await createCustomer(pool, { daily: 2, from: 1 });
  expect((await harness.call(customer.key)).status).toBe(402);
  const tomorrow = addDays(dayOf(Date.now()), 1);
  await pool.query('update clock set reached_day = $1', [tomorrow]);
  await vi.waitUntil(async () => (await harness.call(customer.key)).status === 200, { interval: 50, timeout: 60_000 });
  expect((await harness.call(customer.key)).status).toBe(200);
  expect((await harness.call(customer.key)).status).toBe(429);
  const days = await pool.query('select from_date as day, taken from quota_counters where scope_id = $1', [
    customer.activationId,
  ]);
  expect(days.rows).toEqual([{ day: tomorrow, taken: 2 }]);
  await pool.query('update clock set reached_day = null');
});
