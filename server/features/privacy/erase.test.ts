import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { applyMigrations, readChanges } from '#shared/database/migrate.ts';
import { factsOf, leadsToCustomers, personalTables } from '#shared/database/table-facts.ts';
import { customersSql } from '#shared/database/test-customers.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { countErasure } from './count-erasure.ts';
import { eraseRest } from './erase.ts';

let database: TestDatabase;
beforeAll(async () => void (database = await createTestDatabase()));
afterAll(() => database.close());

test('a table that leads to customers by its foreign keys, or has their id, has a rule for their erasure', async () => {
  const { rows } = await database.pool.query(
    `with recursive led as (
       select 'customers'::regclass::oid as id
       union select c.conrelid from pg_constraint c join led on c.confrelid = led.id where c.contype = 'f')
     select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and (c.oid in (select id from led) or exists (select from pg_attribute where attrelid = c.oid and attname = 'customer_id'))`,
  );
  const names = checkedRows(z.object({ name: z.string() }), { rows }).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(40);
  const forgotten = names.filter((name) => {
    const fact = factsOf.get(name);
    return fact === undefined || (typeof fact.customer === 'string' && !leadsToCustomers(fact));
  });
  expect(forgotten).toEqual([]);
});

test('every column that can hold a text of a customer is erased, kept by law, or named as one that names nobody', async () => {
  const { rows } = await database.pool.query(
    `select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and a.atttypid in ('text'::regtype, 'jsonb'::regtype, 'bytea'::regtype, 'inet'::regtype, 'text[]'::regtype, 'inet[]'::regtype)`,
  );
  const columns = checkedRows(z.object({ table: z.string(), column: z.string() }), { rows });
  const unclear = personalTables.flatMap(({ table, rule: { erasure } }) => {
    if (erasure.does === 'delete' || (erasure.does === 'keep' && erasure.why !== 'NUMBERS')) return [];
    const blanked = erasure.does === 'blank' ? Object.keys(erasure.columns) : [];
    const known = new Set(['id', 'customer_id', ...erasure.stays, ...blanked]);
    const found = columns.filter((each) => each.table === table).map(({ column }) => column);
    return found.filter((column) => !known.has(column)).map((column) => `${table}.${column}`);
  });
  expect(unclear).toEqual([]);
});

test('a table stands after those that it refers to, so that an erasure can delete from the last to the first', async () => {
  const { rows } = await database.pool.query(
    `select c.conrelid::regclass::text as table, c.confrelid::regclass::text as of from pg_constraint c where c.contype = 'f' and c.conrelid <> c.confrelid`,
  );
  const deleted = personalTables.flatMap(({ table, rule }) => (rule.erasure.does === 'delete' ? [table] : []));
  const wrong = checkedRows(z.object({ table: z.string(), of: z.string() }), { rows }).filter(
    ({ table, of }) =>
      deleted.includes(of) && (!deleted.includes(table) || deleted.indexOf(table) < deleted.indexOf(of)),
  );
  expect(wrong).toEqual([]);
});

test('the database erases no customer without the audit log, or by half, and an erased customer gets nothing more', async () => {
  const { pool } = database;
  await pool.query(customersSql(`values ('CUS-A', 'a@example.com', 'A', 'A', '', '', now())`));
  const blanks = `email = 'CUS-A@erased.invalid', name = 'Erased customer', given_name = ''`;
  const left = `update members set removed_at = now(), google_sub = 'erased:' || id, email = id || '@erased.invalid'`;
  await expect(pool.query(`update customers set erased_at = now(), ${blanks}`)).rejects.toThrow('not in the audit log');
  await expect(pool.query(`update members set google_sub = 'sub-b'`)).rejects.toThrow('never changes');
  const recorded = `insert into operator_actions (actor, action, target, customer_id, reason, effect)
    values ('asha', 'customers.erase', 'CUS-A', 'CUS-A', 'Asked', '{}')`;
  // Statements of one query are one transaction.
  const erase = (columns: string, more = 'select') =>
    pool.query(`${recorded}; update customers set erased_at = now()${columns}; ${more}`);
  await expect(erase('')).rejects.toThrow('is not erased');
  await pool.query(
    `insert into sessions (token_hash, member_id, created_at, last_used_at, expires_at) values (sha256('x'), 'MEM-A', now(), now(), now())`,
  );
  await expect(erase(`, ${blanks}`)).rejects.toThrow('is left');
  await pool.query(
    `insert into support_threads (id, customer_id, subject, created_at, changed_at) values ('SUP-A', 'CUS-A', 'Help', now(), now())`,
  );
  await expect(pool.query('delete from support_threads')).rejects.toThrow('only with its customer');
  await expect(erase(`, ${blanks}`, left)).rejects.toThrow('is left');
  await erase(`, ${blanks}`, `${left}; delete from support_threads`);
  expect((await pool.query('select from sessions')).rowCount).toBe(0);
  await expect(pool.query(`update customers set name = 'A'`)).rejects.toThrow('erased for good');
  await expect(
    pool.query(
      `insert into sessions (token_hash, member_id, created_at, last_used_at, expires_at) values (sha256('x'), 'MEM-A', now(), now(), now())`,
    ),
  ).rejects.toThrow('is not a member');
});

test('an erasure removes what products stored under the customer, live and of test keys, and nothing of another', async () => {
  const { pool, db } = database;
  const client = await pool.connect();
  await applyMigrations(client, readChanges(projectFolder('products', 'migrations')), 'products');
  client.release();
  const callers = ['CUS-P', 'CUS-P/test', 'CUS-Q', 'CUS-Q/test'];
  await pool.query(
    `with counted as (insert into products.series select caller, 'TPX', 'INV', '2026-27', 1 from unnest($1::text[]) caller)
     insert into products.numbers select caller, 'TPX', 'INV', '2026-27', 1, 'TPX/26-27/000001', 'k', now() from unnest($1::text[]) caller`,
    [callers],
  );
  expect(await countErasure(db, { customerId: 'CUS-P' })).toMatchObject([{ kind: 'stored', deleted: 4 }]);
  expect(await eraseRest(db, { customerId: 'CUS-P' })).toBe(4);
  for (const table of ['series', 'numbers']) {
    const { rows } = await pool.query(`select caller from products.${table} order by 1`);
    expect(rows).toEqual([{ caller: 'CUS-Q' }, { caller: 'CUS-Q/test' }]);
  }
});
