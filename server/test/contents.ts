import { sql } from 'kysely';
import type { Db } from '#shared/database/connect.ts';

/** A checksum of every table of the portal and of the job queue, which a refused call must leave unchanged. The use of the session is not a change. */
export async function contentsOf(db: Db): Promise<Record<string, unknown>> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and (n.nspname = 'public' or (n.nspname = 'pgboss' and c.relname = 'job'))
    order by 1, 2`.execute(db);
  const contents: Record<string, unknown> = {};
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ sum: string }>`
      select md5(coalesce(string_agg(row, '' order by row), '')) as sum
      from (select (to_jsonb(t) - 'last_used_at')::text as row from ${sql.table(`${schema}.${name}`)} t) rows`.execute(
      db,
    );
    contents[name] = rows[0]?.sum;
  }
  return contents;
}
