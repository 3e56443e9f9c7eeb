import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { readChanges } from '#shared/database/migrate.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { openStore } from '#products/store/store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('empty');
});
afterAll(() => database.close());

/** Opens a store of its own, as a starting process does. */
async function use<Row>(sql: string): Promise<Row[]> {
  const store = openStore(database.databaseUrl, () => undefined);
  try {
    return await store.transaction(async (client) => (await client.query(sql)).rows);
  } finally {
    await store.close();
  }
}

test('tables from before the migrations keep their rows when processes start at once', async () => {
  const before = readFileSync(projectFolder('products', 'migrations', '001-store.sql'), 'utf8');
  await database.pool.query(`create schema products; ${before};
    insert into products.numbers values ('ACT-1', 'TPX', 'INV', '2026-27', 1, 'TPX/26-27/000001', 'k', now())`);
  const kept = await Promise.all([1, 2, 3].map(() => use<{ number: string }>('select number from products.numbers')));
  expect(kept.flat()).toEqual([1, 2, 3].map(() => ({ number: 'TPX/26-27/000001' })));
  const applied = await use<{ name: string }>('select name from products.schema_migrations order by 1');
  expect(applied).toEqual(readChanges(projectFolder('products', 'migrations')).map(({ name }) => ({ name })));
});

test('a store refuses a schema of a newer version', async () => {
  await database.pool.query(`insert into products.schema_migrations (name, checksum) values ('900-newer.sql', 'x')`);
  await expect(use('select 1')).rejects.toThrow('900-newer.sql, which this version of Octroi does not have');
  await database.pool.query(`delete from products.schema_migrations where name = '900-newer.sql'`);
  await expect(use('select 1')).resolves.toHaveLength(1);
});
