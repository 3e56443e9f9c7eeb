import { Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { claimRows } from './claim-rows.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

interface Tasks {
  tasks: { id: string; due: Date };
}

let database: TestDatabase;
let db: Kysely<Tasks>;
beforeAll(async () => {
  database = await createTestDatabase('empty');
  db = new Kysely<Tasks>({ dialect: new PostgresDialect({ pool: database.pool }) });
  await database.pool.query('create table tasks (id text primary key, due timestamptz not null)');
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query(
    `delete from tasks; insert into tasks select 'T' || n, to_timestamp(n) from generate_series(1, 30) n`,
  );
});

const claim = (limit: number, now = 20, reschedule?: () => void) =>
  claimRows(
    db,
    { limit, nowMs: now * 1000, longestWaitMs: 100_000 },
    (tx, isDue) => tx.selectFrom('tasks').select('id').where(isDue('due')).orderBy('due'),
    async (tx, { id }) => {
      reschedule?.();
      await tx
        .updateTable('tasks')
        .set({ due: new Date(100_000) })
        .where('id', '=', id)
        .execute();
      return id;
    },
  );

test('the rows that are due longest are claimed first, each by one of many processes', async () => {
  expect(await claim(2)).toEqual(['T1', 'T2']);
  const claimed = (await Promise.all(Array.from({ length: 6 }, () => claim(3)))).flat();
  claimed.push(...(await claim(20)));
  expect(claimed.toSorted()).toEqual(Array.from({ length: 18 }, (_, index) => `T${index + 3}`).toSorted());
  expect(await claim(20)).toEqual([]);
});

test('rows that another process has locked are skipped', async () => {
  const other = await database.pool.connect();
  await other.query(`begin; select id from tasks where id in ('T1', 'T3') for update`);
  expect(await claim(2)).toEqual(['T2', 'T4']);
  await other.query('rollback');
  other.release();
  expect(await claim(2)).toEqual(['T1', 'T3']);
});

test('a claim that fails leaves every row due', async () => {
  let claimed = 0;
  const failing = claim(3, 20, () => {
    claimed += 1;
    if (claimed === 2) throw new Error('no next time');
  });
  await expect(failing).rejects.toThrow('no next time');
  expect(await claim(3)).toEqual(['T1', 'T2', 'T3']);
});

test('a row whose time is further away than it ever waits is due', async () => {
  await claim(30, 30);
  await database.pool.query(`update tasks set due = '2099-01-01' where id = 'T7'`);
  expect(await claim(30, 30)).toEqual(['T7']);
  expect(await claim(30, 30)).toEqual([]);
});
