import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { migrate, type Migration, readChanges } from './migrate.ts';
import { readSchemaFile } from './schema-files.ts';
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

test('a failed migration leaves nothing behind', async () => {
  const broken = migration('003-broken.sql', 'create table third (id int); select 1 / 0');
  await expect(migrate(database.databaseUrl, [first, second, broken])).rejects.toThrow(
    '003-broken.sql failed: division by zero',
  );
  expect(await tables()).not.toContain('third');
});

/** A schema of two tables whose function says a word. */
const schemaOf = (word: string, more = ''): Migration[] => {
  const whole = readSchemaFile(`create table words (word text);
    create or replace function say() returns trigger language plpgsql as $$ begin new.word := '${word}'; return new; end $$;
    create trigger said before insert on words for each row execute function say();${more}`);
  return [{ name: '000-schema.sql', sql: whole.parts.map(({ sql }) => sql).join(''), checksum: word, whole }];
};

describe('functions, views and triggers', () => {
  let own: TestDatabase;
  beforeAll(async () => void (own = await createTestDatabase('empty')));
  afterAll(() => own.close());
  const said = async (): Promise<string> => {
    const { rows } = await own.pool.query<{ word: string }>(`insert into words values ('') returning word`);
    return rows[0]?.word ?? '';
  };

  test('are put in with the tables, by one of several processes, and again when their text differs', async () => {
    const made = await Promise.all([1, 2, 3].map(() => migrate(own.databaseUrl, schemaOf('one'))));
    expect(made.flat()).toEqual(['000-schema.sql']);
    expect(await said()).toBe('one');
    expect(await migrate(own.databaseUrl, schemaOf('two'))).toEqual(['function say()']);
    expect(await said()).toBe('two');
    expect(await migrate(own.databaseUrl, schemaOf('two'))).toEqual([]);
  });

  test('come with tables that are new, which need no change of their own', async () => {
    const more = `create table later (id int); create index later_id on later (id);
      create trigger said before insert on later for each row execute function say();`;
    expect(await migrate(own.databaseUrl, schemaOf('two', more))).toEqual(['table later', 'trigger said on later']);
    expect((await own.pool.query(`select from pg_indexes where indexname = 'later_id'`)).rowCount).toBe(1);
  });

  test('a table that brings no trigger is made too', async () => {
    const more = `create table later (id int); create index later_id on later (id);
      create trigger said before insert on later for each row execute function say(); create table alone (id int);`;
    expect(await migrate(own.databaseUrl, schemaOf('two', more))).toEqual(['table alone']);
  });

  test('of a later version stay when an earlier one is started again', async () => {
    await own.pool.query(`comment on function say() is 'octroi 10.0.0 ${'0'.repeat(64)}'`);
    expect(await migrate(own.databaseUrl, schemaOf('earlier'))).toEqual([]);
    expect(await said()).toBe('two');
    await own.pool.query(`comment on function say() is 'octroi 0.0.9 ${'0'.repeat(64)}'`);
    expect(await migrate(own.databaseUrl, schemaOf('now'))).toEqual(['function say()']);
  });

  test('that fail leave what stood', async () => {
    const broken = `create or replace view shown as select nothing from words;`;
    await expect(migrate(own.databaseUrl, schemaOf('broken', broken))).rejects.toThrow("view shown can't be put in");
    expect(await said()).toBe('now');
  });
});

test('a change that a new database has from its schema is not applied to it', async () => {
  const fresh = await createTestDatabase('empty');
  try {
    const change = migration('001-more.sql', 'alter table words add column word text');
    expect(await migrate(fresh.databaseUrl, [...schemaOf('one'), change])).toEqual(['000-schema.sql']);
    expect(await migrate(fresh.databaseUrl, [...schemaOf('one'), change])).toEqual([]);
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
  expect(() => readChanges(folder)).toThrow(message);
  rmSync(folder, { recursive: true });
});
