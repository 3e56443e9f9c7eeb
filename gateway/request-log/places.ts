import type { Pool } from 'pg';
import type { Log } from '#shared/platform/log.ts';
import type { LogWriter } from '#shared/request-log/log.ts';
import { openLogPool, openLogWriter } from '#shared/request-log/open.ts';
import { postgresWriter } from '#shared/request-log/postgres-writer.ts';

export interface Places {
  /** Where calls are logged. */
  writer: LogWriter;
  /** The database, which keeps from where keys are used. Counting has other connections, and never waits for these. */
  pool: Pool;
  close: () => Promise<void>;
}

/** Opens the log in its own place, else in the database. */
export async function openPlaces(
  { databaseUrl, requestLogUrl }: { databaseUrl: string; requestLogUrl?: string | undefined },
  log: Log,
): Promise<Places> {
  const pool = openLogPool(databaseUrl, log);
  if (requestLogUrl === undefined) return { writer: postgresWriter(pool), pool, close: () => pool.end() };
  const writer = await openLogWriter(requestLogUrl, log);
  return { writer, pool, close: async () => void (await Promise.all([writer.close(), pool.end()])) };
}
