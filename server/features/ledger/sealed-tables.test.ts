import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { sealedOfCustomers, sealedOfProvider } from './sealed-tables.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('every table that leaves seals is verified: by the columns that name its records, and step by step if it takes steps', async () => {
  const result = await database.pool.query(
    `select c.relname as "table", string_to_array(convert_from(btrim(t.tgargs, '\\x00'), 'UTF8'), ',') as id,
       to_regproc('fixed_of_' || c.relname) is not null as moves
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where t.tgname = 'sealed' and not t.tgisinternal and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const row = z.object({ table: z.string(), id: z.array(z.string()), moves: z.boolean() });
  const verified = [...sealedOfCustomers, ...sealedOfProvider].map(({ table, id, moves = false }) => ({
    table,
    id,
    moves,
  }));
  expect(checkedRows(row, result)).toEqual(verified.toSorted((a, b) => (a.table < b.table ? -1 : 1)));
});
