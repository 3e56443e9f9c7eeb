import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { openClient } from './clients.ts';
import { migrate } from './migrate.ts';
import { secretColumns, updateRoles } from './roles.ts';
import { factsOf } from './table-facts.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { withTestRoles } from './test-roles.ts';
import { inTransaction } from './transaction.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Runs a statement as one of the roles. */
async function as(databaseUrl: string, statement: string): Promise<unknown[]> {
  const client = openClient({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

const sorted = (list: { table: string; column: string }[]) =>
  list.map(({ table, column }) => `${table}.${column}`).toSorted();

test.each([
  `update ledger_entries set kind = 'refund'`,
  'delete from ledger_lines',
  'update ledger_head set position = 0',
  'delete from record_seals',
  'update seal_head set position = 0',
  `update operator_actions set reason = 'none'`,
  'update operator_head set position = 0',
  `update documents set content = '{}'`,
  'delete from payments',
  `insert into schema_migrations (name, checksum) values ('x', 'y')`,
  'truncate ledger_entries cascade',
  'alter table ledger_entries disable trigger all',
  'drop table ledger_checks',
  'create table mine (id int)',
  'create schema mine',
  `set session_replication_role = replica`,
  'create or replace function never_change() returns trigger language plpgsql as $$ begin return new; end $$',
])('the role of the processes may not: %s', async (statement) => {
  await expect(as(database.databaseUrl, statement)).rejects.toThrow(/permission denied|must be owner/);
});

test('the role for reports reads everything but secrets, and writes nothing', async () => {
  const columns = checkedRows(z.object({ table: z.string(), column: z.string() }), {
    rows: await as(
      database.owner.databaseUrl,
      `select c.relname as "table", a.attname as "column" from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`,
    ),
  });
  expect(columns.length).toBeGreaterThan(300);
  const readable = checkedRows(z.object({ table: z.string(), column: z.string() }), {
    rows: await as(
      database.readUrl,
      `select c.relname as "table", a.attname as "column" from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
        and has_column_privilege(c.oid, a.attnum, 'select')`,
    ),
  });
  const hidden = columns.filter(
    (one) => !readable.some(({ table, column }) => table === one.table && column === one.column),
  );
  const secret = [...factsOf.keys()].flatMap((table) => secretColumns(table).map((column) => ({ table, column })));
  expect(sorted(hidden)).toEqual(sorted(secret));
  expect(await as(database.readUrl, 'select id, name from api_keys')).toEqual([]);
  await expect(as(database.readUrl, 'select key_hash from api_keys')).rejects.toThrow('permission denied');
  await expect(as(database.readUrl, 'select * from sessions')).rejects.toThrow('permission denied');
  await expect(as(database.readUrl, `delete from event_keys`)).rejects.toThrow('permission denied');
});

test.each([
  ['nobody but the processes and the owner', ''],
  ['the role for reports', `and has_function_privilege('octroi_read', p.oid, 'execute')`],
])('%s may execute no function of the product that writes', async (_who, condition) => {
  const open = await as(
    database.owner.databaseUrl,
    `select p.oid::regprocedure::text as name from pg_proc p
     where p.pronamespace::regnamespace::text in ('public', 'partitions', 'products', 'pgboss')
       and has_schema_privilege('octroi_read', p.pronamespace, 'usage')
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
       ${condition || `and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) where grantee = 0)`}`,
  );
  expect(open).toEqual([]);
});

test.each([
  `select drop_request_log_days('2027-01-01')`,
  `select add_request_log_days('2030-01-01', '2030-01-05')`,
  'select chain_seals(1)',
  'create temporary table mine (id int)',
])('the role for reports may not: %s', async (statement) => {
  await expect(as(database.readUrl, statement)).rejects.toThrow('permission denied');
});

test('every column that sounds like a secret is hidden from reports', async () => {
  const rows = await as(
    database.owner.databaseUrl,
    `select table_name as "table", column_name as "column" from information_schema.columns where table_schema = 'public'
       and column_name ~ '(secret|token|password|nonce|_hash$)' and column_name !~ '_id$' and data_type in ('text', 'bytea', 'jsonb', 'json', 'ARRAY')`,
  );
  const found = checkedRows(z.object({ table: z.string(), column: z.string() }), { rows });
  const open = found.filter(({ table, column }) => !secretColumns(table).includes(column));
  expect(open).toEqual([]);
});

test('every table that lets somebody in, decides access, prices or locks, or in which a decision waits, says what a restore does with it', async () => {
  const rows = await as(
    database.owner.databaseUrl,
    `select distinct table_name as "table" from information_schema.columns where table_schema = 'public' and (column_name ~ '(secret|token|key_hash|nonce_hash)'
       or column_name in ('idempotency_key', 'role', 'scopes', 'credential_id', 'proven_at', 'revoked_at', 'removed_at', 'confirmed_at', 'approved_by', 'declined_by', 'decided_at', 'asked_at', 'transferred_on', 'blocked_at', 'calls_per_second', 'active_from', 'granted_reason', 'withdrawn_at')
       or table_name ~ '_(raises|locks)$')
       and table_name in (select relname from pg_class where relkind in ('r', 'p'))`,
  );
  const tables = checkedRows(z.object({ table: z.string() }), { rows }).map(({ table }) => table);
  expect(tables).toEqual(
    expect.arrayContaining(['operator_passkeys', 'approvals', 'accountants', 'tds_claims', 'refunds']),
  );
  expect(tables.filter((table) => factsOf.get(table)?.afterRestore === undefined)).toEqual([]);
});

test('the role of the processes finds that no migration is missing', async () => {
  expect(await migrate(database.databaseUrl)).toEqual([]);
});

test('the role of migrations changes tables, and new ones get the same rights', async () => {
  await as(database.migrateUrl, 'create table later (id int primary key, secret text)');
  await as(database.migrateUrl, `create function made_later() returns int language sql as 'select 1'`);
  await expect(as(database.readUrl, 'select made_later()')).rejects.toThrow('permission denied');
  const client = openClient({ connectionString: database.migrateUrl });
  await client.connect();
  await inTransaction(client, () => updateRoles(client));
  await client.end();
  expect(await as(database.databaseUrl, `insert into later values (1, 'x') returning id`)).toEqual([{ id: 1 }]);
  expect(await as(database.readUrl, 'select id from later')).toEqual([{ id: 1 }]);
  expect(await as(database.databaseUrl, 'select made_later()')).toHaveLength(1);
  await expect(as(database.readUrl, 'select made_later()')).rejects.toThrow('permission denied');
  await as(database.migrateUrl, 'drop table later; drop function made_later()');
});

test('an owner of the database who is no superuser makes the roles too, as at a provider', async () => {
  const other = await createTestDatabase('empty');
  const name = new URL(other.databaseUrl).pathname.slice(1);
  const owner = new URL(other.databaseUrl);
  owner.username = `owner_${name}`;
  owner.password = 'a-password';
  try {
    await as(other.databaseUrl, `create role ${owner.username} login createrole password '${owner.password}'`);
    await as(other.databaseUrl, `alter database ${name} owner to ${owner.username}`);
    await migrate(owner.href);
    const made = await withTestRoles(owner.href, other.databaseUrl);
    expect(await as(made.run, 'select count(*)::int as rows from customers')).toEqual([{ rows: 0 }]);
    await expect(as(made.run, 'delete from ledger_entries')).rejects.toThrow('permission denied');
    await made.update();
    await made.drop();
  } finally {
    await as(other.databaseUrl, `drop owned by ${owner.username} cascade`);
    await as(other.databaseUrl, `alter database ${name} owner to octroi`);
    await as(other.databaseUrl, `drop role ${owner.username}`);
    await other.close();
  }
});

test('rights that a migration left out because it ended too early are given by the next one, though nothing is left to apply', async () => {
  const { migrateUrl, databaseUrl } = database;
  await as(migrateUrl, 'create table late (id int primary key); grant select on mails to octroi_read');
  await expect(as(databaseUrl, 'select from late')).rejects.toThrow('permission denied');
  expect(await Promise.all([1, 2, 3].map(() => migrate(migrateUrl)))).toEqual([[], [], []]);
  expect(await as(databaseUrl, 'select from late')).toEqual([]);
  await expect(as(database.readUrl, 'select body_text from mails')).rejects.toThrow('permission denied');
  await as(migrateUrl, 'drop table late');
});
