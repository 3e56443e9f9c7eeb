import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { plansOf } from '#shared/database/test-plans.ts';
import { addDays, type Day, startOfDay } from '#shared/domain/day.ts';
import { selectBatches } from '#shared/request-log/postgres-pages.ts';
import { postgresReader } from '#shared/request-log/postgres-reader.ts';
import { deleteOldRows } from '#server/retention/delete-old.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());

const today = '2026-11-23';

async function log(day: Day): Promise<string> {
  const id = randomUUID();
  const at = new Date(startOfDay(day) + 60_000);
  await sql`insert into request_log (id, activation_id, key_id, day, test, from_at, to_at, calls, counted, statuses, dictionary, records)
    values (${id}, 'ACT-1', 'KEY-1', ${day}, false, ${at}, ${at}, 1, 1, '{200}', 'GET / 200 1 answered', ${Buffer.alloc(25, 1)})`.execute(
    database.db,
  );
  return id;
}

const prepare = (day: Day) => postgresReader(database.db).prepare(day);
const expire = (before: Day) => postgresReader(database.db).expire(before);

/** The days that have a table. */
async function tables(): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`select right(relname, 8) as day from pg_class
    where relnamespace = 'partitions'::regnamespace and relname ~ '^request_log_[0-9]{8}$' order by 1`.execute(
    database.db,
  );
  return rows.map(({ day }) => day);
}

/** Where each batch lies: the end of the name of its table. */
async function places(): Promise<Record<string, string>> {
  const { rows } = await database.pool.query<{ id: string; place: string }>(
    `select id, regexp_replace(tableoid::regclass::text, '^.*request_log_', '') as place from request_log`,
  );
  return Object.fromEntries(rows.map(({ id, place }) => [id, place]));
}

test('what was logged before its day had a table moves into it, and no call is lost', async () => {
  const early = await log(today);
  const far = await log(addDays(today, 40));
  expect(await places()).toEqual({ [early]: 'rest', [far]: 'rest' });
  for (let times = 0; times < 2; times += 1) {
    await prepare(today);
    expect([(await tables()).length, (await tables())[0], (await tables()).at(-1)]).toEqual([
      9,
      '20261122',
      '20261130',
    ]);
  }
  const late = await log(addDays(today, 7));
  expect(await places()).toEqual({ [early]: '20261123', [late]: '20261130', [far]: 'rest' });
});

test('days before the oldest are dropped with their tables, also those without one; the others stay', async () => {
  for (let day = addDays(today, -40); day < today; day = addDays(day, 6)) await prepare(day);
  const kept = await log(addDays(today, -30));
  const gone = [await log(addDays(today, -31)), await log(addDays(today, -90))];
  await deleteOldRows(database.db, { machine: new Date(), today });
  const left = await places();
  expect(left[kept]).toBe('20261024');
  for (const id of gone) expect(left).not.toHaveProperty(id);
  expect((await tables())[0]).toBe('20261024');
});

test('a long transaction that reads the log holds up neither gateways nor the next round', async () => {
  const reader = await database.pool.connect();
  await reader.query('begin');
  await reader.query('select count(*) from request_log');
  const before = await tables();
  await expire(addDays(today, -20));
  await prepare(addDays(today, 60));
  expect(await tables()).toEqual(before);
  await log(today);
  await reader.query('commit');
  reader.release();
  await expire(addDays(today, -20));
  await prepare(addDays(today, 60));
  const after = await tables();
  expect([after[0], after.at(-1)]).toEqual(['20261103', '20270129']);
});

/** The tables of the log that PostgreSQL opens for a read. */
async function tablesOf(read: (db: TestDatabase['db']) => Promise<unknown>): Promise<string[]> {
  const plans = (await plansOf(database, read)).join('\n');
  const tables = Array.from(plans.matchAll(/on request_log_(\d{8}|rest)\b/g), ([, name = '']) => name);
  return [...new Set(tables)].toSorted();
}

test('reads of some days open the tables of these days alone', async () => {
  const page = { until: undefined, after: undefined, limit: 4 };
  const filter = { from: addDays(today, -1), to: today };
  expect(await tablesOf((db) => selectBatches(db, 'ACT-1', filter, page))).toEqual(['20261122', '20261123']);
  expect(await tablesOf((db) => postgresReader(db).callsOn('ACT-1', today))).toEqual(['20261123']);
  expect(await tablesOf((db) => postgresReader(db).problems('ACT-1', today))).toEqual(['20261123']);
  const newest = await tablesOf((db) => postgresReader(db).newest(['ACT-1'], today));
  expect(newest).not.toContain('20261122');
  expect((await tablesOf((db) => selectBatches(db, 'ACT-1', {}, page))).length).toBeGreaterThan(20);
});
