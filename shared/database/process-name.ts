import type { ClientBase } from 'pg';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { octroiVersion } from '#shared/platform/version.ts';
import { newestMigration } from './migrate.ts';

export type ProcessPart = 'portal' | 'gateway' | 'products';

/** What PostgreSQL shows of a process: its part, its version, and the newest migration that it knows, as in `octroi portal 0.1.0 053`. */
export function processName(part: ProcessPart): string {
  return `octroi ${part} ${octroiVersion()} ${newestMigration()}`;
}

/** Running processes of one version. */
export interface RunningProcesses {
  part: string;
  version: string;
  /** The number of the newest migration that they know. */
  migration: string;
  /** Of the connections that they hold. */
  connections: number;
}

const runningRow = z.object({ name: z.string(), connections: z.number() });

/** The processes that are connected to the database, by part and version. */
export async function runningProcesses(client: ClientBase): Promise<RunningProcesses[]> {
  const found = await client.query(
    `select application_name as name, count(*)::int as connections from pg_stat_activity
     where datname = current_database() and application_name ~ '^octroi (portal|gateway|products) [^ ]+ [0-9]{3}$'
     group by 1 order by 1`,
  );
  return checkedRows(runningRow, found).map(({ name, connections }) => {
    const [, part = '', version = '', migration = ''] = name.split(' ');
    return { part, version, migration, connections };
  });
}
