import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { factsOf } from './table-facts.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('every table with a customer refuses rows for an erased one, or its reason to take them stands in its facts', async () => {
  const result = await database.pool.query(
    `select c.table_name as "table", exists (select from information_schema.triggers t where t.trigger_schema = 'public'
       and t.event_object_table = c.table_name and t.trigger_name = 'erased_get_nothing' and t.event_manipulation = 'INSERT') as refuses
     from information_schema.columns c join information_schema.tables using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'customer_id' and table_type = 'BASE TABLE'`,
  );
  const tables = checkedRows(z.object({ table: z.string(), refuses: z.boolean() }), result);
  const taking = tables.filter(({ refuses }) => !refuses).map(({ table }) => table);
  const reasoned = [...factsOf].flatMap(([table, { takesErased }]) => (takesErased === undefined ? [] : [table]));
  expect(taking.toSorted()).toEqual(reasoned.toSorted());
});
