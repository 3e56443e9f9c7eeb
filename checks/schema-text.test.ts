import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#database/test-database.ts';
import { describeSchema } from './schema-text.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('empty');
  await database.pool.query(`
    create extension btree_gist;
    create type mood as enum ('calm', 'cross');
    create table people (id int primary key, name text not null default 'nobody', mood mood, born date check (born > '1900-01-01'));
    create index people_by_name on people (name);
    create function touch() returns trigger language plpgsql as 'begin return new; end';
    create trigger people_touch before update on people for each row execute function touch();`);
});
afterAll(() => database.close());

test('the text has everything that a migration can add, and nothing of an extension', async () => {
  const text = await describeSchema(database.databaseUrl);
  for (const words of [
    'create extension btree_gist;',
    `create type mood as enum ('calm', 'cross');`,
    `name text not null default 'nobody'::text`,
    'constraint people_pkey PRIMARY KEY (id)',
    'CHECK ((born >',
    'CREATE INDEX people_by_name ON people USING btree (name);',
    'CREATE OR REPLACE FUNCTION touch()',
    'CREATE TRIGGER people_touch BEFORE UPDATE ON people',
  ]) {
    expect(text).toContain(words);
  }
  expect(text).not.toContain('gbt_');
});

test('another column gives another text, and the same schema the same text', async () => {
  const before = await describeSchema(database.databaseUrl);
  expect(await describeSchema(database.databaseUrl)).toBe(before);
  await database.pool.query('alter table people add column height_mm int');
  expect(await describeSchema(database.databaseUrl)).not.toBe(before);
});
