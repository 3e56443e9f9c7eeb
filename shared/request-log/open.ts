import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { openPool } from '#shared/database/clients.ts';
import { connect, type Db } from '#shared/database/connect.ts';
import { schemaFolder } from '#shared/database/schema-files.ts';
import { inTransaction } from '#shared/database/transaction.ts';
import type { Day } from '#shared/domain/day.ts';
import type { Log } from '#shared/platform/log.ts';
import { withCold } from './cold-reader.ts';
import { openColdStore } from './cold-store.ts';
import { LogAway, type LogReader, type LogWriter } from './log.ts';
import { postgresReader } from './postgres-reader.ts';
import { postgresWriter } from './postgres-writer.ts';
import type { LogSettings } from './settings.ts';

const isClickHouse = (url: string): boolean => url.startsWith('clickhouse:');

/** A pool for what a gateway logs. Losing the last records in a crash of PostgreSQL is acceptable. */
export function openLogPool(databaseUrl: string, log: Log): Pool {
  return openPool(
    {
      connectionString: databaseUrl,
      application_name: 'octroi gateway request log',
      max: 1,
      min: 1,
      statement_timeout: 10_000,
      connectionTimeoutMillis: 5000,
      options: '-c synchronous_commit=off',
    },
    (error) => log.debug({ err: error }, 'the request log lost its connection'),
  );
}

type Closed<Of> = Of & { close: () => Promise<void> };

/** Opens a log of its own for writing. */
export async function openLogWriter(url: string, log: Log): Promise<Closed<LogWriter>> {
  if (!isClickHouse(url)) {
    const pool = openLogPool(url, log);
    return { ...postgresWriter(pool), close: () => pool.end() };
  }
  // Loaded where it is used: most installations have none.
  const { openClickHouse } = await import('./clickhouse.ts');
  const { clickHouseWriter } = await import('./clickhouse-writer.ts');
  const clickHouse = openClickHouse(url, { connections: 1 });
  return { ...clickHouseWriter(clickHouse), close: () => clickHouse.client.close() };
}

/** Opens the log in its own place, else in the database. `firstHotDay`: no day since then moves to the place of old days. */
export async function openRequestLog(
  settings: LogSettings,
  db: Db,
  applicationName: string,
  firstHotDay: () => Day,
): Promise<Closed<LogReader>> {
  const { requestLogUrl, requestLogColdPlace: place } = settings;
  const cooled: Cooled = (hot, of) =>
    place === undefined
      ? hot
      : withCold(hot, { db: of, store: openColdStore({ ...settings, requestLogColdPlace: place }), firstHotDay });
  if (requestLogUrl !== undefined) return openLogReader(requestLogUrl, applicationName, cooled);
  return { ...cooled(postgresReader(db), db), close: () => Promise.resolve() };
}

/** What a log in PostgreSQL becomes. */
type Cooled = (hot: LogReader, db: Db) => LogReader;

/** The same log, as another connection to the database sees it. */
export const logThrough = (db: Db, log: LogReader): LogReader =>
  log.isApart ? log : (log.through?.(db) ?? postgresReader(db));

/** Opens a log of its own for reading; what fails there throws LogAway. */
export async function openLogReader(
  url: string,
  applicationName: string,
  cooled: Cooled = (hot) => hot,
): Promise<Closed<LogReader>> {
  const { close, ...reader } = await openReader(url, applicationName, cooled);
  return { ...withLogAway(reader), close };
}

function withLogAway(reader: LogReader): LogReader {
  return new Proxy(reader, {
    get: (of, name: keyof LogReader) => {
      const read: unknown = of[name];
      if (typeof read !== 'function') return read;
      return async (...asked: unknown[]): Promise<unknown> => {
        try {
          return await Reflect.apply(read, of, asked);
        } catch (error) {
          throw new LogAway('the request log did not answer', { cause: error });
        }
      };
    },
  });
}

async function openReader(url: string, applicationName: string, cooled: Cooled): Promise<Closed<LogReader>> {
  if (isClickHouse(url)) {
    const { openClickHouse } = await import('./clickhouse.ts');
    const { clickHouseReader } = await import('./clickhouse-reader.ts');
    const clickHouse = openClickHouse(url);
    return { ...clickHouseReader(clickHouse), close: () => clickHouse.client.close() };
  }
  const { db, pool, close } = connect(url, { applicationName, maxConnections: 5 });
  const reader = postgresReader(db);
  const apart: LogReader = {
    ...reader,
    isApart: true,
    prepare: async (today) => {
      await createTable(pool);
      await reader.prepare(today);
    },
  };
  return { ...cooled(apart, db), close };
}

/** Creates the log's table as the database has it. Several portals may do so at once. */
async function createTable(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await inTransaction(client, async () => {
      await client.query(`select pg_advisory_xact_lock(hashtextextended('request_log tables', 65))`);
      const missing = await client.query(`select where to_regclass('public.request_log') is null`);
      if (missing.rowCount !== 0) await client.query(readFileSync(join(schemaFolder, 'request-log.sql'), 'utf8'));
    });
  } finally {
    client.release();
  }
}
