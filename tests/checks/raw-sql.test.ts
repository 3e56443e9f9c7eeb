import { expect, test } from 'vitest';
import { rawSqlFaults } from './raw-sql-rules.ts';

const path = 'server/features/keys/store.ts';

test.each([
  ['sql`…` with a type', 'const { rows } = await sql<{ id: string }>`select id from keys`.execute(db);'],
  ['an expression with a type', 'db.selectFrom("keys").select(sql<number>`sum(calls)`.as("calls"))'],
  ['a reference with a type', 'query.where("a", "<", sql.ref<number>("b"))'],
  ['a function with a type', 'query.select((key) => key.fn.min<Date>("since").as("since"))'],
  ['a function of a builder with a type', 'query.select(({ fn }) => fn.countAll<number>().as("count"))'],
  ['a query of pg with a type', 'const found = await client.query<Row>("select 1");'],
  ['a cast', 'query.$castTo<Row>()'],
  ['rows of a query of pg', 'const { rows } = await client.query("select 1");'],
  ['rows under another name', 'const { rows: found } = await client.query("select 1");'],
  ['rows of a result', 'const found = await client.query("select 1"); return found.rows[0];'],
  ['rows at once', 'return (await client.query("select 1")).rows;'],
])('reports %s', (_, text) => {
  expect(rawSqlFaults(path, text)).toEqual([expect.stringContaining(path)]);
});

test.each([
  ['rows that a schema checks', 'const [row] = checkedRows(rowSchema, await client.query("select 1"));'],
  ['the number of rows', 'const { rowCount } = await client.query("delete from keys"); return rowCount === 1;'],
  ['raw SQL of unknown rows', 'await sql`select announce(${id})`.execute(tx);'],
  ['the query builder', 'db.selectFrom("keys").select((key) => key.val<string>("x").as("x")).execute()'],
  ['rows of something else', 'const rows = sheet.rows;'],
])('accepts %s', (_, text) => {
  expect(rawSqlFaults(path, text)).toEqual([]);
});

test('tests may declare types', () => {
  expect(rawSqlFaults('server/app.test.ts', 'await sql<{ id: string }>`select 1`.execute(db);')).toEqual([]);
});
