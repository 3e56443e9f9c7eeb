import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#database/test-database.ts';
import { dayOf } from '#domain/day.ts';
import { createIdempotentCalls } from '#gateway/journal/idempotent-calls.ts';
import { openJournal } from '#gateway/journal/journal.ts';
import { encodeKind } from '#gateway/journal/lines.ts';
import { createCustomer, createTempDir, usageOf } from '#gateway/test/world.ts';
import { createLog } from '#platform/log.ts';
import { startCounting } from './counting.ts';
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
  const counting = startCounting({
    pool,
    journal,
    desk,
    idempotentCalls: createIdempotentCalls({ pool, journalId: journal.id, runCounting: () => {}, timeoutMs: 2000 }),
    today: () => dayOf(Date.now()),
    log: createLog('test', { destination: { write: (line) => void warnings.push(line) } }),
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
