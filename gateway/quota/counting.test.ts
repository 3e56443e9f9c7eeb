import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { dayOf } from '#shared/domain/day.ts';
import { createIdempotentCalls } from '#gateway/journal/idempotent-calls.ts';
import { segmentName } from '#gateway/journal/files.ts';
import { openJournal } from '#gateway/journal/journal.ts';
import { encodeKind, writeLine } from '#gateway/journal/lines.ts';
import { findQuotaMismatches } from '#gateway/test/quota-mismatches.ts';
import { createCustomer, createTempDir, usageOf } from '#gateway/test/world.ts';
import { createLog } from '#shared/platform/log.ts';
import { catchUp, startCounting } from './counting.ts';
import { createQuotaDesk } from './desk.ts';
import { takeQuota } from './store.ts';

let database: TestDatabase;
const data = createTempDir();
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
  data.remove();
});

test('a call that ends while the gateway stops does not send the same batch twice', async () => {
  const { pool } = database;
  const { activationId: activation, cycleId: cycle, keyId: key } = await createCustomer(pool);
  const journal = openJournal(data.path, Date.now);
  journal.recover(0);
  await pool.query('insert into journals (id, position) values ($1, 0)', [journal.id]);
  const desk = createQuotaDesk({
    takeQuota: (request) => takeQuota(pool, journal.id, request),
    synced: journal.synced,
    recalls: { open: () => '', waitForReplies: async () => true, close: () => {}, addReply: () => {} },
    journalId: journal.id,
    runCounting: () => {},
    onEnded: () => {},
    timeoutMs: 2000,
  });
  const warnings: string[] = [];
  const log = createLog('test', { destination: { write: (line) => void warnings.push(line) } });
  const counting = startCounting({
    pool,
    journal,
    desk,
    idempotentCalls: createIdempotentCalls({
      pool,
      journalId: journal.id,
      runCounting: () => {},
      timeoutMs: 2000,
      log,
    }),
    today: () => dayOf(Date.now()),
    log,
  });
  const failed = encodeKind({
    activation,
    cycle,
    key,
    lease: '',
    day: dayOf(Date.now()),
    class: 5,
    counted: false,
    units: 1,
  });
  await new Promise((resolve) => journal.append(failed, 1, resolve));
  const stopped = counting.finish();
  await Promise.resolve();
  counting.runNow();
  await stopped;
  await expect.poll(() => usageOf(pool, activation)).toEqual({ counted: 0, free: 1 });
  // Both would have been sent by now.
  await counting.finish();
  expect(warnings).toEqual([]);
  await journal.close();
});

test('calls that the database rejects are logged, and all others of the batch are counted', async () => {
  const { pool } = database;
  const one = await createCustomer(pool, { status: 'PAID' });
  const other = await createCustomer(pool, { status: 'PAID' });
  const folder = createTempDir();
  const journal = openJournal(folder.path, Date.now);
  journal.recover(0);
  await pool.query('insert into journals (id, position) values ($1, 0)', [journal.id]);
  const odd = encodeKind({ ...kindOf(one).kind, class: 0 });
  for (const [kind, calls] of [
    [kindOf(one), 2],
    [odd, 3],
    [kindOf(other), 4],
  ] as const)
    journal.append(kind, calls);
  journal.flush();
  const errors: unknown[] = [];
  const log = createLog('test', {
    level: 'error',
    destination: { write: (line) => void errors.push(JSON.parse(line)) },
  });
  await journal.close();
  const restarted = openJournal(folder.path, Date.now);
  await catchUp(pool, restarted, 0, log);
  expect(await usageOf(pool, one.activationId)).toEqual({ counted: 2, free: 0 });
  expect(await usageOf(pool, other.activationId)).toEqual({ counted: 4, free: 0 });
  expect(errors).toEqual([
    expect.objectContaining({
      activation: one.activationId,
      calls: 3,
      units: 3,
      firstDay: dayOf(Date.now()),
      fault: expect.stringContaining('usage_counts_status_class_check'),
    }),
  ]);
  expect(await findQuotaMismatches(database)).toEqual([]);
  await restarted.close();
  folder.remove();
});

type Customer = Awaited<ReturnType<typeof createCustomer>>;

const kindOf = ({ activationId: activation, cycleId: cycle, keyId: key }: Customer) =>
  encodeKind({ activation, cycle, key, lease: '', day: dayOf(Date.now()), class: 2, counted: true, units: 1 });

const lineOf = (sequence: number, of: Customer, calls: number) =>
  writeLine(sequence, 0, [{ of: kindOf(of), calls }], Date.now());

/** What is counted once a gateway has started on a journal about two customers, of which one call is taken back. */
async function countedAfterStart(
  writeJournal: (folder: string, customer: Customer, other: Customer) => Promise<void> | void,
) {
  const { pool } = database;
  const customer = await createCustomer(pool, { status: 'PAID' });
  const other = await createCustomer(pool, { status: 'PAID' });
  const folder = createTempDir();
  await writeJournal(folder.path, customer, other);
  const journal = openJournal(folder.path, Date.now);
  await pool.query('insert into journals (id, position) values ($1, 0)', [journal.id]);
  await catchUp(pool, journal, 0, createLog('test', { level: 'silent' }));
  const counted = {
    customer: await usageOf(pool, customer.activationId),
    other: await usageOf(pool, other.activationId),
    mismatches: await findQuotaMismatches(database),
  };
  await journal.close();
  folder.remove();
  return counted;
}

const nothingTakenBack = { customer: { counted: 0, free: 0 }, other: { counted: 5, free: 0 }, mismatches: [] };

test('a call that is taken back counts nothing when the line that counted it is lost with an older database', async () => {
  const counted = await countedAfterStart(async (folder, customer, other) => {
    const write = async (calls: [Customer, number][], countedTo: number): Promise<void> => {
      const journal = openJournal(folder, Date.now);
      journal.recover(0);
      for (const [of, count] of calls) journal.append(kindOf(of), count);
      journal.flush();
      journal.deleteCounted(countedTo);
      await journal.close();
    };
    // The call's own line was counted, and deleted, after the backup.
    await write([[customer, 1]], 0);
    await write(
      [
        [other, 5],
        [customer, -1],
      ],
      1,
    );
  });
  expect(counted).toEqual(nothingTakenBack);
});

test('a call that is taken back counts nothing when a power cut lost the line between that counted it', async () => {
  const counted = await countedAfterStart((folder, customer, other) => {
    // Line 2 had the call of the customer.
    writeFileSync(join(folder, segmentName(1)), lineOf(1, other, 5) + lineOf(3, customer, -1));
  });
  expect(counted).toEqual(nothingTakenBack);
});
