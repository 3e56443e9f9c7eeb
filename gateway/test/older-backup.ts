import type { Pool, PoolClient } from 'pg';

/** The tables that a gateway reads and writes, those referred to by others first. */
const tables = [
  'customers',
  'activations',
  'cycles',
  'api_keys',
  'journals',
  'leases',
  'usage_counts',
  'quota_counters',
  'counted_responses',
] as const;

export type OlderBackup = readonly (readonly [table: string, rows: string])[];

/** The rows of one moment, as a backup has them. */
export async function takeBackup(pool: Pool): Promise<OlderBackup> {
  const read = tables.map(
    (table) => `select '${table}' as name, coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as rows from ${table} t`,
  );
  const { rows } = await pool.query<{ name: string; rows: string }>(read.join(' union all '));
  return rows.map(({ name, rows: of }) => [name, of]);
}

/** Loads them into an empty database, as a restore does: with triggers off. */
export async function loadBackup(pool: Pool, backup: OlderBackup): Promise<void> {
  await inOneStep(pool, (client) => load(client, backup));
}

/** The database is again as it was then, and every connection of a gateway breaks: a replica took over that lacked what was written since. */
export async function failOver(pool: Pool, backup: OlderBackup): Promise<void> {
  await inOneStep(pool, async (client) => {
    await client.query(`lock table ${tables.join(', ')}`);
    for (const table of tables.toReversed()) await client.query(`delete from ${table}`);
    await load(client, backup);
  });
  await breakConnections(pool);
}

export async function breakConnections(pool: Pool): Promise<void> {
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name in ('test gateway', 'octroi gateway listener')`,
  );
}

async function load(client: PoolClient, backup: OlderBackup): Promise<void> {
  for (const [table, rows] of backup)
    await client.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [rows]);
}

async function inOneStep(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    await work(client);
    await client.query('commit');
  } finally {
    client.release();
  }
}
