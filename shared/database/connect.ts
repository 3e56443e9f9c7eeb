import { Kysely, type Transaction } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import { isTracing } from '#shared/platform/tracing.ts';
import { type ConnectionLost, openPool } from './clients.ts';
import { RepeatingDialect } from './repeating-dialect.ts';
import type { Tables } from './tables.ts';
import { traceStatement } from './trace-statements.ts';
import { valueParsers } from './value-parsers.ts';

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

export interface Connection {
  pool: Pool;
  db: Db;
  /** Waits for running statements and closes every connection. */
  close: () => Promise<void>;
}

export interface ConnectOptions {
  /** Shown in `pg_stat_activity`. */
  applicationName: string;
  maxConnections?: number;
  /** Idle connections to keep open: a new one costs the server a process, and the caller some 20 ms. */
  keptConnections?: number;
  /** How long a caller waits for a connection; then it fails. */
  waitTimeoutMs?: number;
  /** A statement that runs longer is cancelled by the server. */
  statementTimeoutMs?: number;
  /** Called for each connection that breaks (for example when the server restarts); the pool replaces it by itself. */
  onConnectionLost?: ConnectionLost;
  /** Runs on each new connection before anything else does. */
  onConnected?: (client: ClientBase) => Promise<void>;
  /** Nothing can be written through it. */
  readOnly?: boolean;
}

/** Opens a pool of connections; the first statement opens the first connection. */
export function connect(databaseUrl: string, options: ConnectOptions): Connection {
  const pool = openPool(
    {
      connectionString: databaseUrl,
      application_name: options.applicationName,
      max: options.maxConnections ?? 10,
      min: options.keptConnections ?? 0,
      statement_timeout: options.statementTimeoutMs ?? 15_000,
      // Longer than any statement: an abandoned transaction must not hold its locks for ever.
      idle_in_transaction_session_timeout: 30_000,
      connectionTimeoutMillis: options.waitTimeoutMs ?? 10_000,
      keepAlive: true,
      types: valueParsers,
    },
    (error) => options.onConnectionLost?.(error),
    { readOnly: options.readOnly ?? false, onConnected: options.onConnected },
  );
  const db = new Kysely<Tables>({
    dialect: new RepeatingDialect({ pool }),
    ...(isTracing() ? { log: traceStatement } : {}),
  });
  return { pool, db, close: () => db.destroy() };
}
