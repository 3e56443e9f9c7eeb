import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { neededRights, ownFunctions, type TableRight, tableRights, type TableRights } from '#shared/database/roles.ts';
import { sqlState } from '#shared/database/transaction.ts';
import { type Check, fault, fine, unchecked } from '#doctor/finding.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

/** The queue and the products own their tables, and do everything with them. */
const ownSchemas = ['pgboss', 'products'];
const verbs: Record<TableRight, string> = {
  select: 'read',
  insert: 'insert into',
  update: 'update',
  delete: 'delete from',
};

/** Insufficient privilege, and a transaction that may only read. */
const refused = new Set(['42501', '25006']);

const remedy = 'Give the rights again as the owner of the database: octroi database roles';

export const databaseRights: Check = {
  name: 'database-rights',
  about:
    'may the user of DATABASE_URL do what portals, gateways and products need (tried on no row of each table), and do reports write nothing?',
  examine: async ({ db }) => {
    if (db === undefined) return [unchecked('The database cannot be read.')];
    const lacking = new Map<TableRight, string[]>();
    for (const { table, right, statement } of [...(await trials(db)), ...(await ownTrials(db))])
      if (!(await isAllowed(db, statement))) lacking.set(right, [...(lacking.get(right) ?? []), table]);
    const name = checkedRows(z.object({ name: z.string() }), await sql`select current_user as name`.execute(db))[0]
      ?.name;
    const findings = [...lacking].map(([right, tables]) =>
      fault(
        `${name ?? 'The user'} may not ${verbs[right]} ${listed(tables, 'tables')}.`,
        'What needs these tables fails with “permission denied”: calls, payments or sign-ins.',
        remedy,
      ),
    );
    const open = await openFunctions(db);
    if (open.length > 0)
      findings.push(
        fault(
          `Every user of the database may call ${listed(open, 'functions')}.`,
          'The user for reports can delete the request log.',
          remedy,
        ),
      );
    return findings.length > 0 ? findings : [fine('It may do everything that the processes do.')];
  },
};

/** What everybody may call, although the installation has the users of octroi database roles. */
async function openFunctions(db: Db): Promise<string[]> {
  const query = sql`select from pg_tables where schemaname = 'public' and tablename = 'schema_migrations' and tableowner like '%\\_migrate'`;
  if ((await query.execute(db)).rows.length === 0) return [];
  const functions = await ownFunctions((text) => sql.raw(text).execute(db));
  return functions.filter(({ isPublic }) => isPublic).map(({ name }) => name);
}

interface Trial {
  table: string;
  right: TableRight;
  statement: string;
}

async function trials(db: Db): Promise<Trial[]> {
  const tables = await neededRights((text) => sql.raw(text).execute(db));
  return tables.flatMap((table) => trialsOf(sqlName(table.name), table));
}

async function ownTrials(db: Db): Promise<Trial[]> {
  const row = z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) });
  const found = await sql`select relnamespace::regnamespace::text as schema, relname as name,
      array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped
        and attgenerated = '' and attidentity <> 'a') as columns
    from pg_class c where relnamespace::regnamespace::text = any(${ownSchemas}) and relkind in ('r', 'p') order by 1, 2`.execute(
    db,
  );
  return checkedRows(row, found).flatMap(({ schema, name, columns }) =>
    trialsOf(`${schema}.${sqlName(name)}`, { name: `${schema}.${name}`, givenColumns: columns, rights: tableRights }),
  );
}

interface Tried extends Pick<TableRights, 'name' | 'givenColumns'> {
  rights: readonly TableRight[];
}

const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Statements that PostgreSQL refuses without the right, and that change nothing. */
function trialsOf(target: string, { name, givenColumns, rights }: Tried) {
  const columns = givenColumns.map(sqlName);
  const statements: Record<TableRight, string> = {
    select: `select * from ${target} where false`,
    insert: `insert into ${target} (${columns.join(', ')}) select ${columns.join(', ')} from ${target} where false`,
    update: `update ${target} set ${columns.map((column) => `${column} = ${column}`).join(', ')} where false`,
    delete: `delete from ${target} where false`,
  };
  return rights.map((right) => ({ table: name, right, statement: statements[right] }));
}

/** Rolled back, because a trigger may act for a statement without rows. */
async function isAllowed(db: Db, statement: string): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    try {
      await sql.raw(`begin; ${statement}`).execute(connection);
      return true;
    } catch (error) {
      if (refused.has(sqlState(error) ?? '')) return false;
      throw error;
    } finally {
      await sql`rollback`.execute(connection);
    }
  });
}

function listed(names: readonly string[], what: string): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more ${what}` : shown;
}
