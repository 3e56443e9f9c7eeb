import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { readCalls } from '#shared/domain/logged-call.ts';
import { readProblem } from '#shared/domain/call-problem.ts';
import { addKey, createCustomer, type Harness, openHarness } from '#gateway/test/world.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness({ env: { UPSTREAM_TIMEOUT_MS: '5000' } });
});
afterAll(() => harness.close());

const batch = z.object({
  day: z.string(),
  dictionary: z.string(),
  records: z.instanceof(Buffer),
  problems: z.record(z.string(), z.number()),
});

/** The logged calls of an activation in order, and how many have which problem. */
async function logOf(activationId: string) {
  const read = await harness.database.pool.query(
    'select day::text, dictionary, records, problems from request_log where activation_id = $1',
    [activationId],
  );
  const batches = read.rows.map((row) => batch.parse(row));
  const calls = batches
    .flatMap(({ day, dictionary, records }) => readCalls(day, dictionary, records))
    .toSorted((a, b) => a.at - b.at);
  return { calls, counts: batches.map(({ problems }) => problems) };
}

const problemsOf = async (activationId: string) =>
  (await logOf(activationId)).calls.map(({ problem }) => (problem === undefined ? null : readProblem(problem)));

const planName = async (activationId: string) => {
  const plan = await harness.database.pool.query(`select plan->>'name' as name from cycles where activation_id = $1`, [
    activationId,
  ]);
  return z.object({ name: z.string() }).parse(plan.rows[0]).name;
};

test('a refused call is logged with its code, and the rule and numbers at that moment', async () => {
  const { pool } = harness.database;
  const { activationId, key } = await createCustomer(pool, { daily: 2, service: 'tax-lookup-api' });
  const plan = await planName(activationId);
  const bound = await addKey(pool, activationId, { allowedIps: ['203.0.113.0/24', '2001:db8::1'] });
  const expired = await addKey(pool, activationId, { expiresInMs: 1 });
  const capped = await addKey(pool, activationId, { dailyCap: 1 });
  await harness.call(capped.key);
  await harness.call(capped.key);
  await harness.call(bound.key);
  await harness.call(expired.key);
  await harness.call(key);
  await harness.call(key);
  await expect.poll(async () => (await problemsOf(activationId)).length).toBe(6);
  expect(await problemsOf(activationId)).toEqual([
    null,
    { code: 'quota-exceeded', facts: { rule: 'key', limit: '1' } },
    { code: 'address-not-allowed', facts: { address: '127.0.0.1', allowed: '203.0.113.0/24, 2001:db8::1/128' } },
    { code: 'key-expired', facts: { at: expect.stringMatching(/^2\d{3}-\d\d-\d\dT.*Z$/) } },
    null,
    { code: 'quota-exceeded', facts: { rule: 'daily', limit: '2', plan } },
  ]);
  const names = (await logOf(activationId)).counts.flatMap(Object.entries);
  expect(new Map(names)).toEqual(
    new Map([
      ['quota-exceeded/key', 1],
      ['quota-exceeded/daily', 1],
      ['address-not-allowed', 1],
      ['key-expired', 1],
    ]),
  );
});

test('calls over the rate, and without a running plan, are logged with the plan’s numbers', async () => {
  const { pool } = harness.database;
  const fast = await createCustomer(pool, { rps: 2 });
  await Promise.all(Array.from({ length: 6 }, () => harness.call(fast.key)));
  const plan = await planName(fast.activationId);
  const rate = { code: 'quota-exceeded', facts: { rule: 'second', limit: '2', plan } };
  await expect
    .poll(async () => (await problemsOf(fast.activationId)).filter((each) => each !== null))
    .toContainEqual(rate);

  const today = dayOf(Date.now());
  const cases = [
    { terms: { status: 'PAYMENT_PENDING' as const }, facts: { rule: 'unpaid', plan } },
    { terms: { from: 3, to: 33 }, facts: { rule: 'upcoming', plan, day: addDays(today, 3) } },
    { terms: { from: -33, to: -3 }, facts: { rule: 'ended', plan, day: addDays(today, -3) } },
  ];
  for (const { terms, facts } of cases) {
    const { activationId, key } = await createCustomer(pool, terms);
    expect((await harness.call(key)).status).toBe(402);
    await expect.poll(() => problemsOf(activationId)).toEqual([{ code: 'no-running-plan', facts }]);
  }
});

test('a call that fails at the product is logged with the gateway’s code or the one that the product states', async () => {
  const { activationId, key } = await createCustomer(harness.database.pool);
  for (const path of ['/slow/60000', '/reset', '/problem/422', '/problem/429', '/status/404', '/ok']) {
    await harness.call(key, { path });
  }
  await expect.poll(async () => (await problemsOf(activationId)).length).toBe(6);
  expect(await problemsOf(activationId)).toEqual([
    { code: 'upstream-too-slow', facts: {} },
    { code: 'upstream-failed', facts: {} },
    { code: 'request-invalid', facts: { in: 'query', field: 'on' } },
    // A header that is not a problem is ignored.
    null,
    null,
    null,
  ]);
});

test('a test key for its sandbox is logged with the same problems', async () => {
  const { activationId } = await createCustomer(harness.database.pool);
  const testKey = await addKey(harness.database.pool, activationId, { test: true });
  await harness.call(testKey.key, { path: '/problem/422' });
  await expect
    .poll(() => problemsOf(activationId))
    .toEqual([{ code: 'request-invalid', facts: { in: 'query', field: 'on' } }]);
});

test('a revoked key is logged as the cause of its refused calls', async () => {
  const { activationId, key, keyId } = await createCustomer(harness.database.pool);
  await harness.database.pool.query('update api_keys set revoked_at = now() where id = $1', [keyId]);
  expect((await harness.call(key)).status).toBe(401);
  await expect.poll(() => problemsOf(activationId)).toEqual([{ code: 'key-invalid', facts: {} }]);
});
