import { expect, test } from 'vitest';
import { readSchemaFile, readSchemaFiles, statementsIn } from './schema-files.ts';
import { createTestDatabase } from './test-database.ts';

test('statements end at semicolons outside of strings, bodies and comments, and lose the comments above them', () => {
  const text = `-- one; two
create table a (b text default ';'); -- of a; b
-- above
create function f() returns void language sql as $x$ select ';' ; $$;$$ $x$;
`;
  expect(statementsIn(text)).toEqual([
    "create table a (b text default ';');",
    "create function f() returns void language sql as $x$ select ';' ; $$;$$ $x$;",
  ]);
  expect(() => statementsIn('select 1; select 2')).toThrow('no semicolon: select 2');
});

const file = `
create or replace function fits(p_text text default 'a') returns boolean language sql immutable as $$ select true $$;
-- What it is.
create table things (id text check (fits(id)));
insert into things values ('a');
select seal('things');
create index things_id on things (id);
create or replace view shown as select id from things;
create or replace function count_things(p_from date, out n bigint) language sql as $$ select count(*) from things $$;
create constraint trigger counted after insert on things
  deferrable initially deferred for each row execute function counted();
alter table things enable always trigger counted;
`;

test('a file has tables with what belongs to them, and objects by kind; a function above the first table is both', () => {
  const { parts, objects } = readSchemaFile(file);
  expect(parts.map(({ table, sql, calls }) => [table, sql.split('\n').length - 1, calls])).toEqual([
    [undefined, 1, ''],
    ['things', 3, "select seal('things');\n"],
  ]);
  expect(objects.map(({ name }) => name)).toEqual([
    'function fits(p_text text)',
    'function count_things(p_from date, out n bigint)',
    'view shown',
    'trigger counted on things',
  ]);
  expect(objects.at(-1)?.sql).toContain('enable always');
});

const hashes = (text: string) => readSchemaFile(text).objects.map(({ hash }) => hash);

test('a comment above a function changes nothing of it, a word in it does', () => {
  expect(hashes(file.replace('create or replace view', '-- All.\ncreate or replace view'))).toEqual(hashes(file));
  expect(hashes(file.replace('select count', 'select 1 + count'))).not.toEqual(hashes(file));
});

test('no object stands twice in the files', () => {
  const names = readSchemaFiles().objects.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('every sequence belongs to a column, so that a restore knows where it goes on', async () => {
  const database = await createTestDatabase();
  const { rows } = await database.pool.query(`select c.relname from pg_class c
    where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))`);
  await database.close();
  expect(rows).toEqual([]);
});
