import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tableFacts } from '#shared/database/table-facts.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import { deleteOldRows } from './delete-old.ts';
import { defaultRetention, retentionSettings } from './retention-settings.ts';
import { oldRows } from './old-rows.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());

const now = { machine: new Date('2026-11-22T10:00:00Z'), today: '2026-11-22' };
const daysAgo = (days: number) => new Date(now.machine.getTime() - days * 86_400_000);

test('a processed delivery of the payment provider is kept for 90 days, one that could not be processed is kept for good', async () => {
  const keep = (body: string, processed: Date | null) =>
    sql`insert into webhook_inbox (dedup_key, event, body, received_at, processed_at)
      values (sha256(${body}::bytea), ${body}, '{}', ${daysAgo(200)}, ${processed})`.execute(database.db);
  await keep('young', daysAgo(89));
  await keep('old', daysAgo(91));
  await keep('unprocessed', null);
  await deleteOldRows(database.db, now);
  const left = await database.db.selectFrom('webhook_inbox').select('event').orderBy('event').execute();
  expect(left.map(({ event }) => event)).toEqual(['unprocessed', 'young']);
});

/** The messages that are left, of one of 100 and one of 45 days ago. */
async function eventsAfter(keepRazorpayMessagesDays: number): Promise<string[]> {
  await sql`delete from webhook_inbox`.execute(database.db);
  await sql`insert into webhook_inbox (dedup_key, event, body, received_at, processed_at)
    values (sha256('a'), 'a', '{}', ${daysAgo(100)}, ${daysAgo(100)}), (sha256('b'), 'b', '{}', ${daysAgo(45)}, ${daysAgo(45)})`.execute(
    database.db,
  );
  await deleteOldRows(database.db, { ...now, keep: { ...defaultRetention, keepRazorpayMessagesDays } });
  const left = await database.db.selectFrom('webhook_inbox').select('event').orderBy('event').execute();
  return left.map(({ event }) => event);
}

test('an operator keeps messages of the payment provider for longer or shorter, and no setting goes below what the product needs', async () => {
  expect(await eventsAfter(120)).toEqual(['a', 'b']);
  expect(await eventsAfter(90)).toEqual(['b']);
  expect(await eventsAfter(30)).toEqual([]);
  for (const [name, setting] of Object.entries(retentionSettings)) {
    const least = setting.parse(undefined) === 400 ? 399 : 6;
    expect(setting.safeParse(String(least)).success, name).toBe(false);
    expect(setting.safeParse('365').success || name === 'keepMailsDays', name).toBe(true);
  }
});

test('what tax and company law keep is deleted by no setting', () => {
  const books = ['documents', 'ledger_entries', 'ledger_lines', 'payments', 'refunds', 'cycles', 'tds_claims'] as const;
  for (const table of books) expect(tableFacts[table].age, table).toHaveProperty('keep');
});

test('one round deletes several batches, and a stopped round deletes nothing more', async () => {
  await sql`insert into sign_in_nonces select sha256(n::text::bytea), ${daysAgo(1)}::timestamptz from generate_series(1, 2500) n`.execute(
    database.db,
  );
  const stopped = new AbortController();
  stopped.abort();
  expect(await deleteOldRows(database.db, now, { ...unrecorded, stopping: stopped.signal })).toBe(0);
  expect(await deleteOldRows(database.db, now)).toBe(2500);
});

test('every table that can grow large has an index to find its old rows', async () => {
  const large = ['quota_counters', 'counted_responses', 'webhook_inbox', 'event_keys', 'webhook_events'] as const;
  for (const table of large) {
    const condition = oldRows(tableFacts[table].age, now);
    if (condition === undefined) throw new Error(`${table} has no rule that deletes rows`);
    const plan = await database.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      return sql<Record<string, string>>`explain select ctid from ${sql.table(table)} where ${condition}`.execute(tx);
    });
    expect(JSON.stringify(plan.rows), table).not.toContain('Seq Scan');
  }
});
