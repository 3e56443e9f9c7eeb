import { EventEmitter, once } from 'node:events';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { sqlState, transaction } from './transaction.ts';

interface Purses {
  purses: { id: string; paise: number };
}

let database: TestDatabase;
let db: Kysely<Purses>;
beforeAll(async () => {
  database = await createTestDatabase('empty');
  db = new Kysely<Purses>({ dialect: new PostgresDialect({ pool: database.pool }) });
  await database.pool.query('create table purses (id text primary key, paise bigint not null check (paise >= 0))');
});
afterAll(() => database.close());

const purse = async (id: string) =>
  (await db.selectFrom('purses').select('paise').where('id', '=', id).executeTakeFirstOrThrow()).paise;

test('commits all of it or none', async () => {
  const attempt = transaction(db, async (tx) => {
    await tx.insertInto('purses').values({ id: 'half', paise: 1 }).execute();
    await tx.insertInto('purses').values({ id: 'half', paise: 2 }).execute();
  });
  await expect(attempt).rejects.toThrow('duplicate key');
  expect(await attempt.catch(sqlState)).toBe('23505');
  expect(await db.selectFrom('purses').selectAll().execute()).toEqual([]);
});

test('transactions with conflicts are retried until all have committed', async () => {
  await db.insertInto('purses').values({ id: 'shared', paise: 0 }).execute();
  let runs = 0;
  // All three read before any of them writes, so two of them must conflict.
  const gate = new EventEmitter();
  const allHaveRead = once(gate, 'all have read');
  let readers = 0;
  const add = () =>
    transaction(
      db,
      async (tx) => {
        runs += 1;
        const { paise } = await tx
          .selectFrom('purses')
          .select('paise')
          .where('id', '=', 'shared')
          .executeTakeFirstOrThrow();
        readers += 1;
        if (readers === 3) gate.emit('all have read');
        await allHaveRead;
        await tx
          .updateTable('purses')
          .set({ paise: paise + 100 })
          .where('id', '=', 'shared')
          .execute();
      },
      'serializable',
    );
  await Promise.all([add(), add(), add()]);
  expect(await purse('shared')).toBe(300);
  expect(runs).toBeGreaterThan(3);
});

test('two transactions in a deadlock both succeed', async () => {
  await db
    .insertInto('purses')
    .values([
      { id: 'left', paise: 0 },
      { id: 'right', paise: 0 },
    ])
    .execute();
  const touch = (one: string, other: string) =>
    transaction(db, async (tx) => {
      await tx
        .updateTable('purses')
        .set({ paise: sql`paise + 1` })
        .where('id', '=', one)
        .execute();
      await sql`select pg_sleep(0.1)`.execute(tx);
      await tx
        .updateTable('purses')
        .set({ paise: sql`paise + 1` })
        .where('id', '=', other)
        .execute();
    });
  await Promise.all([touch('left', 'right'), touch('right', 'left')]);
  expect([await purse('left'), await purse('right')]).toEqual([2, 2]);
});
