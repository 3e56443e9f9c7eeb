import { callbackify } from 'node:util';
import { Client, type ClientBase, type ClientConfig, DatabaseError, Pool, type PoolConfig } from 'pg';
import { sqlState } from './transaction.ts';

/** Called for each connection that breaks, in use or idle. */
export type ConnectionLost = (error: Error) => void;

/** PostgreSQL's own functions and tables come first, unless a path names them later. */
const searchPath = 'set search_path = public';

/**
 * Reads names without a schema in `public`, whatever path the database or its user sets: a schema before it could hold another `documents`. A
 * statement and not a startup option, which PgBouncer refuses, or drops when it is told to.
 */
class OwnPathClient extends Client {
  protected readonly firstStatement: string = searchPath;

  override connect(): Promise<this>;
  override connect(callback: (error: Error | null, client?: this) => void): void;
  override connect(callback?: (error: Error | null, client?: this) => void): Promise<this> | void {
    if (callback === undefined)
      return new Promise((resolve, reject) => this.connect((error) => (error ? reject(error) : resolve(this))));
    // Without a listener, a connection that breaks during the statement would end the process.
    this.on('error', ignore);
    super.connect((error: Error | null) => {
      if (error) callback(error);
      else
        this.query(this.firstStatement, (failure: Error | null) => {
          if (failure) this.end(() => callback(failure));
          else callback(null, this);
        });
    });
  }
}

/** Every transaction of its connection refuses to write. */
class ReadOnlyClient extends OwnPathClient {
  protected override readonly firstStatement = `${searchPath}; set default_transaction_read_only = on`;
}

/**
 * Opens a pool of connections. pg removes its own error listener from a connection that is in use, and an error without
 * a listener ends the process, so each connection gets a permanent listener. The pool replaces a broken connection by
 * itself. tests/checks/architecture-rules.ts rejects every other way to create a pool or a client.
 */
export function openPool(
  config: PoolConfig,
  onLost: ConnectionLost,
  {
    readOnly = false,
    onConnected,
  }: { readOnly?: boolean; onConnected?: ((client: ClientBase) => Promise<void>) | undefined } = {},
): Pool {
  const pool = new Pool({
    ...config,
    Client: readOnly ? ReadOnlyClient : OwnPathClient,
    ...(onConnected && { verify: callbackify(onConnected) }),
  });
  pool.on('connect', (client) => void client.on('error', onLost));
  // The listener above has reported it.
  pool.on('error', ignore);
  return pool;
}

/** Creates a single client, not connected yet. Running statements reject when it breaks; `onLost` is called as well. */
export function openClient(config: ClientConfig, onLost: ConnectionLost = ignore): Client {
  const client = new OwnPathClient(config);
  client.on('error', onLost);
  return client;
}

function ignore(): void {}

/**
 * SQLSTATE classes 08 (connection), 53 (resources) and 57P (shutdown, start-up); 25006 is a standby that a fail-over
 * has not promoted yet.
 */
const awayStates = /^(08|53|57P|25006$)/;
const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** pg's own errors have no code. */
const awayMessages =
  /Connection terminated|not queryable|timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection ended/;

/** SQLSTATE classes 22 (data), 23 (constraints) and 54 (limits). */
const rejectionStates = /^(22|23|54)/;

/** True when PostgreSQL rejected what was to be written, so that a retry would fail again. */
export function isRejected(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError && rejectionStates.test(error.code ?? '');
}

/**
 * True when something failed because PostgreSQL is down, restarting or failing over, so that a retry may succeed in a
 * few seconds.
 */
export function isDatabaseAway(error: unknown): boolean {
  const code = sqlState(error) ?? '';
  return awayStates.test(code) || awayCodes.has(code) || (error instanceof Error && awayMessages.test(error.message));
}
