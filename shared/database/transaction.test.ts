import { EventEmitter, once } from 'node:events';
import { Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RepeatingDialect } from './repeating-dialect.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { sqlState, transaction } from './transaction.ts';

interface Purses {
  purses: { id: string; paise: number };
}

let database: TestDatabase;
let db: Kysely<Purses>;
beforeAll(async () => {
  database = await createTestDatabase('empty');
  db = new Kysely<Purses>({ dialect: new RepeatingDialect({ pool: database.pool }) });
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

test('a statement outside a transaction that was the victim of a deadlock is run again; one inside is not, but its transaction', async () => {
  // Raises a deadlock's error for the first attempts: a sequence is not rolled back.
  await database.pool.query(`
    create sequence attempts;
    create function be_victim() returns trigger language plpgsql as $$ begin
      if nextval('attempts') <= 2 then raise exception using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger victim before insert on purses for each row when (new.id like 'victim%') execute function be_victim()`);
  await db.insertInto('purses').values({ id: 'victim', paise: 1 }).execute();
  expect(await purse('victim')).toBe(1);
  await database.pool.query('alter sequence attempts restart');
  let runs = 0;
  await transaction(db, async (tx) => {
    runs += 1;
    await tx.insertInto('purses').values({ id: 'victim of a transaction', paise: 1 }).execute();
  });
  expect(runs).toBe(3);
});
