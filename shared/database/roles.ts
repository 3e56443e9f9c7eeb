import { randomBytes } from 'node:crypto';
import type { ClientBase } from 'pg';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { books } from './fact-builders.ts';
import { factsOf } from './table-facts.ts';
import { inTransaction } from './transaction.ts';

/**
 * Three users of the database instead of one: `migrate` owns the tables, `run` is for the processes and can change neither tables nor what is
 * written for good, `read` is for reports and sees no secrets.
 */
export const roleKinds = ['migrate', 'run', 'read'] as const;
export type RoleKind = (typeof roleKinds)[number];

const namesIn = (text = ''): string[] => text.split(' ').filter((name) => name !== '');

/** The columns of a table that the role for reports can't read. */
export const secretColumns = (table: string): string[] => namesIn(factsOf.get(table)?.secret);

/** The schemas of the queue and of the products, which create their tables themselves. */
const ownSchemas = ['pgboss', 'products'];

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The names of the three, such as octroi_run. */
export const rolesNamed = (prefix: string): Record<RoleKind, string> => ({
  migrate: `${prefix}_migrate`,
  run: `${prefix}_run`,
  read: `${prefix}_read`,
});

/** Statements that give the roles their rights on the database as a whole, and take them from everybody else. */
export function rightsOnDatabase(database: string, names: Record<RoleKind, string>): string[] {
  const all = roleKinds.map((kind) => quoted(names[kind])).join(', ');
  return [
    `revoke all on database ${quoted(database)} from public`,
    `grant connect on database ${quoted(database)} to ${all}`,
    // Migrations may add extensions and schemas, and use temporary tables.
    `grant create, temporary on database ${quoted(database)} to ${quoted(names.migrate)}`,
  ];
}

/** The address of a database for each role; a role without a password here keeps the one it has. */
export function urlsOfRoles(
  databaseUrl: string,
  names: Record<RoleKind, string>,
  passwords: Partial<Record<RoleKind, string>>,
): Record<RoleKind, string> {
  const urlOf = (kind: RoleKind): string => {
    const url = new URL(databaseUrl);
    url.username = names[kind];
    url.password = passwords[kind] ?? '';
    return url.href;
  };
  return { migrate: urlOf('migrate'), run: urlOf('run'), read: urlOf('read') };
}

/**
 * Creates the roles that are missing and gives them what belongs to them. The client must be a superuser, or own everything and create roles.
 * Returns the password of each role that it created, or of all with `newPasswords`.
 */
export async function createRoles(
  client: ClientBase,
  prefix: string,
  { newPasswords = false } = {},
): Promise<Partial<Record<RoleKind, string>>> {
  const names = rolesNamed(prefix);
  const passwords: Partial<Record<RoleKind, string>> = {};
  await inTransaction(client, async () => {
    for (const kind of roleKinds) {
      const name = quoted(names[kind]);
      const found = await client.query('select from pg_roles where rolname = $1', [names[kind]]);
      if (found.rowCount !== 0 && !newPasswords) continue;
      const password = randomBytes(24).toString('base64url');
      await client.query(
        `${found.rowCount === 0 ? 'create' : 'alter'} role ${name} login password ${literal(password)}`,
      );
      passwords[kind] = password;
    }
    await becomeMemberOf(client, [names.migrate, names.run]);
    for (const statement of rightsOnDatabase(await currentDatabase(client), names)) await client.query(statement);
    await client.query(`revoke create on schema public from public`);
    await client.query(`grant usage, create on schema public to ${quoted(names.migrate)}`);
    await giveTo(client, 'public', names.migrate);
    await client.query(`alter schema partitions owner to ${quoted(names.migrate)}`);
    await giveTo(client, 'partitions', names.migrate);
    for (const schema of ownSchemas) {
      await client.query(`create schema if not exists ${schema}`);
      await client.query(`alter schema ${schema} owner to ${quoted(names.run)}`);
      await giveTo(client, schema, names.run);
    }
    await grantTo(client, names);
  });
  return passwords;
}

/** In a transaction, after migrations: the same rights for new tables. Does nothing where there are no roles, or for a client that doesn't own the tables. */
export async function updateRoles(client: ClientBase): Promise<void> {
  const owner = await client.query(
    `select tableowner as owner from pg_tables where tablename = 'schema_migrations' and schemaname = 'public' and pg_has_role(tableowner, 'usage')`,
  );
  const name = checkedRows(z.object({ owner: z.string() }), owner)[0]?.owner ?? '';
  if (!name.endsWith('_migrate')) return;
  const prefix = name.slice(0, -'_migrate'.length);
  await giveTo(client, 'public', name);
  await grantTo(client, rolesNamed(prefix));
}

/** A user that is not a superuser can give objects only to roles that it is a member of. */
async function becomeMemberOf(client: ClientBase, roles: readonly string[]): Promise<void> {
  const about = await client.query(
    'select rolsuper as super, current_user as name from pg_roles where rolname = current_user',
  );
  const [self] = checkedRows(z.object({ super: z.boolean(), name: z.string() }), about);
  if (self === undefined || self.super) return;
  for (const role of roles) await client.query(`grant ${quoted(role)} to ${quoted(self.name)}`);
}

async function currentDatabase(client: ClientBase): Promise<string> {
  const found = await client.query('select current_database() as name');
  return checkedRows(z.object({ name: z.string() }), found)[0]?.name ?? '';
}

/** Makes a role the owner of everything in a schema that belongs to no extension. */
async function giveTo(client: ClientBase, schema: string, owner: string): Promise<void> {
  const found = await client.query(
    `select format('alter %s %s owner to %I', what, name, $2::text) as statement from (
       select case c.relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end as what, c.oid::regclass::text as name,
         c.oid, 'pg_class'::regclass as catalog, c.relowner as owner
       from pg_class c where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p', 'v')
         or c.relnamespace = $1::regnamespace and c.relkind = 'S'
           and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))
       union all select 'function', p.oid::regprocedure::text, p.oid, 'pg_proc'::regclass, p.proowner
       from pg_proc p where p.pronamespace = $1::regnamespace
       union all select 'type', t.oid::regtype::text, t.oid, 'pg_type'::regclass, t.typowner
       from pg_type t where t.typnamespace = $1::regnamespace and t.typtype = 'e') things
     where owner <> $2::regrole and not exists (
       select from pg_depend d where d.classid = things.catalog and d.objid = things.oid and d.deptype = 'e')`,
    [schema, owner],
  );
  for (const { statement } of checkedRows(z.object({ statement: z.string() }), found)) await client.query(statement);
}

const tableRow = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  /** Those whose values the database does not choose itself. */
  givenColumns: z.array(z.string()),
  /** What a trigger refuses for every row. */
  neverChanged: z.boolean(),
  neverDeleted: z.boolean(),
});

export const tableRights = ['select', 'insert', 'update', 'delete'] as const;
export type TableRight = (typeof tableRights)[number];

/** A table, and what the processes may do with it. */
export interface TableRights {
  name: string;
  columns: string[];
  givenColumns: string[];
  rights: TableRight[];
}

/** The columns of the table `c`, in SQL. */
const columnsWhere = (condition: string) =>
  `array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped ${condition})`;

/** What the processes need: each table of the product, with their rights on it. */
export async function neededRights(query: (text: string) => Promise<{ rows: unknown[] }>): Promise<TableRights[]> {
  const found = await query(
    `select c.relname as name, ${columnsWhere('')} as columns, ${columnsWhere(`and attgenerated = '' and attidentity <> 'a'`)} as "givenColumns",
       coalesce(bool_or(t.tgtype & 16 = 16), false) as "neverChanged", coalesce(bool_or(t.tgtype & 8 = 8), false) as "neverDeleted"
     from pg_class c left join pg_trigger t on t.tgrelid = c.oid and t.tgfoid = to_regproc('public.never_change') and t.tgqual is null
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') group by c.oid, c.relname order by c.relname`,
  );
  return checkedRows(tableRow, found).map(({ neverChanged, neverDeleted, ...table }) => {
    const fact = factsOf.get(table.name);
    const isWritten = table.name !== 'schema_migrations' && fact?.writtenBy !== 'owner';
    const has = {
      select: true,
      insert: isWritten,
      update: isWritten && !neverChanged && (fact === undefined || fact.changes !== undefined),
      delete: isWritten && !neverDeleted && fact?.age !== books,
    };
    return { ...table, rights: tableRights.filter((right) => has[right]) };
  });
}

const functionRow = z.object({ name: z.string(), forViews: z.boolean(), isPublic: z.boolean() });

/** The functions of the product, as SQL names them. A view calls its functions with the rights of its reader. */
export async function ownFunctions(
  query: (text: string) => Promise<{ rows: unknown[] }>,
): Promise<z.output<typeof functionRow>[]> {
  const found = await query(
    `select p.oid::regprocedure::text as name,
       exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) where grantee = 0) as "isPublic",
       exists (select from pg_depend d where d.classid = 'pg_rewrite'::regclass and d.refclassid = 'pg_proc'::regclass and d.refobjid = p.oid)
         as "forViews"
     from pg_proc p where p.pronamespace = 'public'::regnamespace and not exists (
       select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e') order by 1`,
  );
  return checkedRows(functionRow, found);
}

async function grantTo(client: ClientBase, names: Record<RoleKind, string>): Promise<void> {
  const [run, read] = [quoted(names.run), quoted(names.read)];
  await client.query(`grant usage on schema public to ${run}, ${read}`);
  await client.query(`revoke all on all tables in schema public from ${run}, ${read}`);
  await client.query(`grant usage, select on all sequences in schema public to ${run}`);
  // PostgreSQL lets everybody execute a function, and some of ours write with the rights of their owner.
  const made = `alter default privileges for role ${quoted(names.migrate)}`;
  await client.query(`${made} revoke execute on functions from public`);
  await client.query(`${made} grant execute on functions to ${run}`);
  for (const { name, forViews } of await ownFunctions((text) => client.query(text))) {
    await client.query(`revoke all on function ${name} from public, ${read}`);
    await client.query(`grant execute on function ${name} to ${forViews ? `${run}, ${read}` : run}`);
  }
  // Views show what their owner may see; none of ours has a secret.
  const views = await client.query(`select viewname as name from pg_views where schemaname = 'public' order by 1`);
  for (const { name } of checkedRows(z.object({ name: z.string() }), views))
    await client.query(`grant select on ${quoted(name)} to ${run}, ${read}`);
  for (const { name, columns, rights } of await neededRights((text) => client.query(text))) {
    await client.query(`grant ${rights.join(', ')} on ${quoted(name)} to ${run}`);
    const secret = secretColumns(name);
    const shown = columns.filter((column) => !secret.includes(column)).map(quoted);
    await client.query(`grant select (${shown.join(', ')}) on ${quoted(name)} to ${read}`);
  }
}
