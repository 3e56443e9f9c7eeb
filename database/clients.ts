import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg';
import { sqlState } from './transaction.ts';

/** Called with each connection that breaks, in use or not. */
export type ConnectionLost = (error: Error) => void;

/**
 * Opens a pool of connections. pg takes its own error listener off a connection that is in use, and an error without a listener ends the
 * process, so each connection gets a listener that stays. The pool replaces a broken connection by itself.
 * checks/architecture-rules.ts refuses every other way to make a pool or a client.
 */
export function openPool(config: PoolConfig, onLost: ConnectionLost): Pool {
  const pool = new Pool(config);
  pool.on('connect', (client) => void client.on('error', onLost));
  // The listener above has reported it.
  pool.on('error', ignore);
  return pool;
}

/** Makes a single client, not connected yet. Statements on their way reject when it breaks; `onLost` is called besides. */
export function openClient(config: ClientConfig, onLost: ConnectionLost = ignore): Client {
  const client = new Client(config);
  client.on('error', onLost);
  return client;
}

function ignore(): void {}

/** SQLSTATE classes 08 (connection), 53 (resources) and 57P (shutdown, start-up); 25006 is a standby that a fail-over has not promoted yet. */
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
/** pg's own errors carry no code. */
const awayMessages = /Connection terminated|not queryable|timeout exceeded when trying to connect|Connection ended/;

/** Did something fail because PostgreSQL is away, restarting or failing over, so that it may succeed in a few seconds? */
export function isDatabaseAway(error: unknown): boolean {
  const code = sqlState(error) ?? '';
  return awayStates.test(code) || awayCodes.has(code) || (error instanceof Error && awayMessages.test(error.message));
}
