import type { ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { ArchiveWriter } from './archive.ts';
import type { Manifest } from './manifest.ts';

/** A table, with the columns that are stored (a generated one is not). */
export interface StoredTable {
  /** `schema.table` */
  name: string;
  columns: string[];
}

/** The queue's own tables are made by its library; only what waits in it is kept. */
export const jobTable = 'pgboss.job';

/** Every table of Octroi and of its products, and the queue's if there is one; without the lists of migrations. */
export async function listTables(client: ClientBase): Promise<StoredTable[]> {
  const found = await client.query(
    `select n.nspname || '.' || c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
     where (n.nspname in ('public', 'products') and c.relkind in ('r', 'p') and c.relname <> 'schema_migrations'
         or n.nspname || '.' || c.relname = $1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by 1 order by 1`,
    [jobTable],
  );
  return checkedRows(z.object({ name: z.string(), columns: z.array(z.string()) }), found);
}

export const quoted = (name: string): string =>
  name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');

/** What is kept of a table. A job that is running when the backup is made runs again after a restore. */
export function selection({ name, columns }: StoredTable): string {
  const list = columns.map(quoted);
  if (name !== jobTable) return `select ${list.join(', ')} from ${quoted(name)}`;
  const kept = list.map((column) =>
    column === '"state"' ? `case when state = 'active' then 'retry' else state end` : column,
  );
  return `select ${kept.join(', ')} from ${jobTable} where state < 'completed' and name not like '\\_\\_%'`;
}

/** Adds all tables as PostgreSQL's own COPY text, which every version reads. The client must be in one snapshot. */
export async function dumpTables(client: ClientBase, archive: ArchiveWriter): Promise<Manifest['tables']> {
  const tables: Manifest['tables'] = {};
  for (const table of await listTables(client)) {
    const rows = client.query(copyTo(`copy (${selection(table)}) to stdout`));
    await archive.add(`tables/${table.name}`, rows);
    tables[table.name] = { columns: table.columns, rows: rows.rowCount };
  }
  return tables;
}
