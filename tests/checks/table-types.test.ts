import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TableFact } from '#shared/database/fact-builders.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { tableTypes } from './table-types.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('empty');
  await database.pool.query(`
    create type mood as enum ('CALM', 'IT''S');
    create table people (id bigint primary key generated always as identity, name text not null, mood mood, pets text[] not null default '{}',
      born date not null, state text not null default 'OPEN' check (state in ('OPEN', 'CLOSED')), height int check (height > 0), terms jsonb not null, place int);
    create table kept (id text primary key, at timestamptz);
    create view adults as select id, name, mood from people;`);
});
afterAll(() => database.close());

const fact = { age: { keep: 'for good' }, customer: 'about nobody' };
const typesWith = (facts: Record<string, TableFact>) =>
  tableTypes((text) => database.pool.query(text), new Map(Object.entries(facts)));
const facts = {
  kept: { ...fact, writtenBy: 'owner' },
  people: {
    ...fact,
    changes: 'mood state height',
    json: { terms: 'Terms of #shared/domain/terms.ts' },
    setByTrigger: 'place',
  },
} satisfies Record<string, TableFact>;

test('types follow from columns, enums and checks, and what changes from the facts', async () => {
  const { text, faults } = await typesWith(facts);
  expect(faults).toEqual([]);
  expect(text).toContain(`import type { Terms } from '#shared/domain/terms.ts';`);
  expect(text).toContain(`  people: {
    id: Read<number>;
    name: Fixed<string>;
    mood: 'CALM' | 'IT\\'S' | null;
    pets: ColumnType<string[], string[] | undefined, never>;
    born: Fixed<string>;
    state: ColumnType<'OPEN' | 'CLOSED', 'OPEN' | 'CLOSED' | undefined, 'OPEN' | 'CLOSED'>;
    height: number | null;
    terms: ColumnType<Terms, string, never>;
    place: Read<number | null>;
  };
`);
});

test('what only the database writes, and views, can be read and not written', async () => {
  const { text } = await typesWith(facts);
  expect(text).toContain(`  kept: {
    id: Read<string>;
    at: Read<Date | null>;
  };
`);
  expect(text).toContain(`export interface Views {
  adults: {
    id: Read<number>;
    name: Read<string>;
    mood: Read<'CALM' | 'IT\\'S'>;
  };
}
`);
});

test('reports a table without facts, and names of the facts that the database does not have', async () => {
  const { faults } = await typesWith({
    kept: fact,
    persons: fact,
    people: { ...fact, changes: 'mood nickname', secret: 'pin', afterRestore: { stays: 'a test' } },
  });
  expect(faults.map((fault) => /names (\S+),/.exec(fault)?.[1])).toEqual(['persons', 'people.nickname', 'people.pin']);
  expect((await typesWith({ kept: fact })).faults).toEqual([
    'shared/database/table-facts.ts says nothing about the table people',
  ]);
});

test('refuses a type that nobody said how JavaScript gets it', async () => {
  const { pool } = database;
  await pool.query('alter table kept add spot point');
  await expect(typesWith(facts)).rejects.toThrow('kept.spot has the type point');
  await pool.query('alter table kept drop spot');
});
