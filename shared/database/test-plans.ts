import type { CompiledQuery, KyselyPlugin } from 'kysely';
import type { Connection, Db } from './connect.ts';

/** The lines of PostgreSQL's plans for all statements of a read. Tables of a test are small enough to be read as a whole; `wholeTables: false` forbids that. */
export async function plansOf(
  { db, pool }: Connection,
  read: (db: Db) => Promise<unknown>,
  { wholeTables = true } = {},
): Promise<string[]> {
  const statements: CompiledQuery[] = [];
  const recorder: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      statements.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  await read(db.withPlugin(recorder));
  const client = await pool.connect();
  const lines: string[] = [];
  await client.query(`begin; set local enable_seqscan = ${wholeTables ? 'on' : 'off'}`);
  for (const { sql, parameters } of statements) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, [...parameters]);
    lines.push(...rows.map((row) => row['QUERY PLAN']));
  }
  await client.query('rollback');
  client.release();
  return lines;
}
