import type { Pool } from 'pg';

/** The tables that a gateway reads and writes, those referred to by others first. */
const tables = [
  'customers',
  'activations',
  'cycles',
  'api_keys',
  'journals',
  'leases',
  'usage_counts',
  'quota_days',
  'quota_cycles',
  'free_quota_days',
  'free_quota_windows',
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
  const client = await pool.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    for (const [table, rows] of backup)
      await client.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [rows]);
    await client.query('commit');
  } finally {
    client.release();
  }
}
