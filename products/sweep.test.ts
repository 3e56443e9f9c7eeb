import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { claimKey, deleteOldResponses, storageLimits, storeResponse } from '#products/idempotency/stored-responses.ts';
import { deleteOldTestNumbers, giveNumber } from '#products/store/numbers.ts';
import { openStore, type Store } from '#products/store/store.ts';
import { createMetrics } from '#shared/platform/metrics.ts';
import { startSweep } from '#products/sweep.ts';
import { quietLog, startTestProducts, testNow } from '#products/test-products.ts';

const hourMs = 3_600_000;
const everyMs = 15 * 60_000;
const never = new AbortController().signal;
let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createTestDatabase('empty');
  store = openStore(database.databaseUrl, () => undefined);
  await store.transaction((client) => client.query('select'));
});
afterAll(async () => {
  await store.close();
  await database.close();
});
beforeEach(() => database.pool.query('truncate products.answers, products.sandbox_registrations, products.numbers'));
afterEach(() => void vi.useRealTimers());

const hoursAgo = (hours: number) => new Date(testNow() - hours * hourMs);
const answered = (caller: string, hours: number) =>
  database.pool.query(
    `insert into products.answers (caller, key, request_hash, started_at, answered_at, status, content_type, body)
     values ($1, 'k', 'h', $2, $2, 200, 'text/plain', 'x')`,
    [caller, hoursAgo(hours)],
  );
const cutOff = (caller: string, hours: number) =>
  database.pool.query(
    `insert into products.answers (caller, key, request_hash, started_at) values ($1, 'k', 'h', $2)`,
    [caller, hoursAgo(hours)],
  );
const registered = (caller: string, hours: number) =>
  database.pool.query(
    `insert into products.sandbox_registrations (caller, irn, document, registered_at) values ($1, 'irn', '{}', $2)`,
    [caller, hoursAgo(hours)],
  );
async function callersIn(table: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ caller: string }>(`select caller from products.${table} order by 1`);
  return rows.map(({ caller }) => caller);
}

test('responses older than 24 hours, registrations older than 48 and old test numbers are deleted soon after the start, also of customers who call no more', async () => {
  await Promise.all([answered('ACT-old', 24.1), answered('ACT-new', 23.9), registered('ACT-old/test', 48.1)]);
  await giveNumber(
    store,
    { customer: 'ACT-old/test', activation: 'ACT-old/test', series: 'TPX', documentType: 'INV', date: '2026-10-01' },
    { askedBy: 'k', startAt: 1, digits: 6 },
    hoursAgo(31 * 24).getTime(),
  );
  await Promise.all([cutOff('ACT-old-crash', 24.1), cutOff('ACT-new-crash', 23.9), registered('ACT-new/test', 47.9)]);
  const products = await startTestProducts({ databaseUrl: database.databaseUrl });
  await expect.poll(() => callersIn('answers')).toEqual(['ACT-new', 'ACT-new-crash']);
  await expect.poll(() => callersIn('sandbox_registrations')).toEqual(['ACT-new/test']);
  await expect.poll(() => callersIn('numbers')).toEqual([]);
  await products.stop();
});

test('numbers given to test keys are deleted after 30 days, their series go on, and live numbers stay', async () => {
  const daysAgo = (days: number) => testNow() - days * 24 * hourMs;
  const give = (caller: string, askedBy: string, at: number) =>
    giveNumber(
      store,
      { customer: caller, activation: caller, series: 'TPX', documentType: 'INV', date: '2026-11-02' },
      { askedBy, startAt: 1, digits: 6 },
      at,
    );
  await give('ACT-1/test', 'old', daysAgo(31));
  await give('ACT-1/test', 'new', daysAgo(29));
  await give('ACT-1', 'old', daysAgo(400));
  expect(await deleteOldTestNumbers(store, testNow(), never)).toBe(1);
  expect(await callersIn('numbers')).toEqual(['ACT-1', 'ACT-1/test']);
  expect(await deleteOldTestNumbers(store, testNow() + 2 * 24 * hourMs, never)).toBe(1);
  expect(await give('ACT-1/test', 'next', testNow())).toMatchObject({ sequence: 3 });
});

test('more old responses than a batch are all deleted, except one that another process has locked', async () => {
  await database.pool.query(
    `insert into products.answers (caller, key, request_hash, started_at) select 'ACT-many', n, 'h', $1 from generate_series(1, 1100) n`,
    [hoursAgo(25)],
  );
  await cutOff('ACT-locked', 25);
  await store.transaction(async (client) => {
    await client.query(`select from products.answers where caller = 'ACT-locked' for update`);
    expect(await deleteOldResponses(store, testNow(), never)).toBe(1100);
  });
  expect(await callersIn('answers')).toEqual(['ACT-locked']);
  expect(await deleteOldResponses(store, testNow(), never)).toBe(1);
});

test('a key that is a day old is free for another request before the sweep, and its old response is not replayed', async () => {
  const other = { customer: 'CUS-1', key: 'k', requestHash: 'other', requestId: 'r' };
  await Promise.all([cutOff('ACT-crash', 50 * 24), answered('ACT-done', 25)]);
  for (const caller of ['ACT-crash', 'ACT-done']) {
    const claim = await claimKey(store, { ...other, caller }, testNow());
    if (claim.state !== 'claimed') throw new Error(claim.state);
    expect(await claimKey(store, { ...other, caller }, testNow() + 1)).toEqual({ state: 'running' });
    const response = { status: 201, contentType: 'text/plain', body: Buffer.from('new') };
    await storeResponse(store, { ...other, caller }, claim.startedAt, response, testNow() + 2, storageLimits);
    expect(await claimKey(store, { ...other, caller }, testNow() + 3)).toMatchObject({ state: 'stored', response });
  }
});

test('a round that fails is logged and measured, and the next one tries again', async () => {
  vi.useFakeTimers();
  const failing = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('no database')));
  const warn = vi.spyOn(quietLog, 'warn');
  const metrics = createMetrics();
  const measured = async () => /^octroi_failed_timed_work (\d)/m.exec(await metrics.metrics())?.[1];
  const sweep = startSweep({ transaction: failing, close: async () => undefined }, testNow, quietLog, metrics);
  await vi.advanceTimersByTimeAsync(everyMs * 2);
  expect(failing).toHaveBeenCalledTimes(3);
  expect(warn).toHaveBeenCalledTimes(3);
  expect(await measured()).toBe('1');
  await sweep.stop();
  await vi.advanceTimersByTimeAsync(everyMs * 2);
  expect(failing).toHaveBeenCalledTimes(3);
  warn.mockRestore();
});

test('a round does not begin while the one before is running, and stopping waits for it', async () => {
  vi.useFakeTimers();
  const release: (() => void)[] = [];
  const slow = vi.fn<() => Promise<never>>(
    () => new Promise((_, reject) => void release.push(() => reject(new Error('slow')))),
  );
  const sweep = startSweep({ transaction: slow, close: async () => undefined }, testNow, quietLog);
  await vi.advanceTimersByTimeAsync(everyMs * 3);
  expect(slow).toHaveBeenCalledTimes(1);
  release[0]?.();
  await vi.advanceTimersByTimeAsync(everyMs);
  expect(slow).toHaveBeenCalledTimes(2);
  let hasStopped = false;
  const stopped = sweep.stop().then(() => (hasStopped = true));
  await vi.advanceTimersByTimeAsync(everyMs);
  expect(hasStopped).toBe(false);
  release[1]?.();
  await stopped;
});
