import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, type Migration, readMigrations } from './migrate.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const migration = (name: string, sql: string): Migration => ({ name, sql, checksum: `checksum of ${sql}` });
const first = migration('001-first.sql', 'create table first (id int primary key)');
const second = migration('002-second.sql', 'create table second (id int primary key)');

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase('empty')));
afterAll(() => database.close());

const tables = async () => {
  const found = await database.pool.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  );
  return found.rows.map((row) => row.name);
};

test('several processes that start at once apply each migration once', async () => {
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(database.databaseUrl, [first])));
  expect(applied.flat()).toEqual(['001-first.sql']);
  expect(await tables()).toEqual(['first', 'schema_migrations']);
});

test('applies only new migrations', async () => {
  expect(await migrate(database.databaseUrl, [first, second])).toEqual(['002-second.sql']);
  expect(await migrate(database.databaseUrl, [first, second])).toEqual([]);
});

test('a migration that PostgreSQL ends because of a deadlock is applied again', async () => {
  const third = migration(
    '003-third.sql',
    `set local deadlock_timeout = '5s'; set local lock_timeout = 0; lock table first; lock table second; create table third (id int primary key)`,
  );
  const locks = async (): Promise<number> =>
    (
      await database.pool.query(
        `select from pg_locks where database = (select oid from pg_database where datname = current_database()) and relation = 'first'::regclass and mode = 'AccessExclusiveLock' and granted`,
      )
    ).rowCount ?? 0;
  const other = await database.pool.connect();
  // The migration is the first to look for the deadlock, so it is the one that ends.
  await other.query(`begin; set local deadlock_timeout = '100s'; lock table second`);
  const applied = migrate(database.databaseUrl, [first, second, third]);
  await expect.poll(locks).toBe(1);
  await other.query('lock table first');
  await other.query('commit');
  other.release();
  expect(await applied).toEqual(['003-third.sql']);
  await database.pool.query(`drop table third; delete from schema_migrations where name = '003-third.sql'`);
});

test('a migration that waits for a table does not keep others from reading it', async () => {
  const third = migration('003-third.sql', 'alter table first add column more text');
  const reader = await database.pool.connect();
  await reader.query('begin; select from first');
  const applied = migrate(database.databaseUrl, [first, second, third]);
  const waiting = `select from pg_locks where relation = 'first'::regclass and not granted`;
  await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBe(1);
  await database.pool.query('select from first');
  await reader.query('commit');
  reader.release();
  expect(await applied).toEqual(['003-third.sql']);
  await database.pool.query(
    `alter table first drop column more; delete from schema_migrations where name = '003-third.sql'`,
  );
});

test('rejects an edited migration', async () => {
  const edited = migration('001-first.sql', 'create table first (id bigint primary key)');
  await expect(migrate(database.databaseUrl, [edited, second])).rejects.toThrow('001-first.sql was edited');
});

test('a program runs on newer tables whose migrations only add or take away what it no longer uses, and on no others', async () => {
  expect(await migrate(database.databaseUrl, [first])).toEqual([]);
  const contract = migration('003-contract.sql', '-- contract of 002: nothing uses it since\ndrop table second');
  const renamed = migration('004-renamed.sql', 'alter table first rename to other; alter table other rename to first');
  expect(await migrate(database.databaseUrl, [first, second, contract])).toEqual(['003-contract.sql']);
  expect(await migrate(database.databaseUrl, [first, second])).toEqual([]);
  await expect(migrate(database.databaseUrl, [first])).rejects.toThrow(
    '003-contract.sql, which this version of Octroi does not have',
  );
  await migrate(database.databaseUrl, [first, second, contract, renamed]);
  await expect(migrate(database.databaseUrl, [first, second, contract])).rejects.toThrow('004-renamed.sql, which');
  // Of an installation from before this was recorded, nobody knows.
  await database.pool.query(
    `delete from schema_migrations where name > '003'; update schema_migrations set needs = null`,
  );
  await expect(migrate(database.databaseUrl, [first])).rejects.toThrow('002-second.sql, which');
});

test('tables from before needs were recorded get the column, and their rows stay', async () => {
  await database.pool.query('alter table schema_migrations drop column needs');
  expect(await migrate(database.databaseUrl, [first, second])).toEqual([]);
  const { rows } = await database.pool.query('select name, needs from schema_migrations order by name');
  expect(rows).toEqual([
    { name: '001-first.sql', needs: null },
    { name: '002-second.sql', needs: null },
  ]);
});

test('a failed migration leaves nothing behind', async () => {
  const broken = migration('003-broken.sql', 'create table third (id int); select 1 / 0');
  await expect(migrate(database.databaseUrl, [first, second, broken])).rejects.toThrow(
    '003-broken.sql failed: division by zero',
  );
  expect(await tables()).not.toContain('third');
});

test('the migrations of the product apply to an empty database', async () => {
  const fresh = await createTestDatabase('empty');
  try {
    expect(await migrate(fresh.databaseUrl)).toEqual(readMigrations().map(({ name }) => name));
  } finally {
    await fresh.close();
  }
});

test.each([
  ['a gap in the numbers', ['001-a.sql', '003-b.sql'], '003-b.sql must be named 002-'],
  ['a duplicate number', ['001-a.sql', '001-b.sql'], '001-b.sql must be named 002-'],
  ['a name in another format', ['001_a.sql'], '001_a.sql must be named 001-'],
])('rejects %s', (_what, names, message) => {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  for (const name of names) writeFileSync(join(folder, name), 'select 1');
  expect(() => readMigrations(folder)).toThrow(message);
  rmSync(folder, { recursive: true });
});
