import { afterAll, beforeAll, expect, test } from 'vitest';
import { standingObjects } from './schema-parts.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

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

const fingerprints = async () =>
  new Map([...(await standingObjects((text) => database.pool.query(text)))].map(([name, { hash }]) => [name, hash]));

test('everything that a schema can add has a fingerprint, and nothing of an extension', async () => {
  expect([...(await fingerprints()).keys()]).toEqual([
    'type mood',
    'table people',
    'index people_by_name',
    'function touch()',
    'trigger people_touch of people',
  ]);
});

test('another column, default or check gives another fingerprint, and the same schema the same', async () => {
  const seen = [await fingerprints()];
  expect(await fingerprints()).toEqual(seen[0]);
  for (const change of ['add column height_mm int', `alter column name set default 'x'`, 'add check (id > 0)']) {
    await database.pool.query(`alter table people ${change}`);
    seen.push(await fingerprints());
  }
  expect(new Set(seen.map((each) => each.get('table people'))).size).toBe(4);
});
