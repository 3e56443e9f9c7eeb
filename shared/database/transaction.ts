import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type IsolationLevel, Kysely, type QueryExecutorProvider, type Transaction } from 'kysely';
import type { ClientBase } from 'pg';
import { ArrayDialect } from './array-dialect.ts';

const serializationFailure = '40001';
const deadlockDetected = '40P01';
const queryCanceled = '57014';
const lockNotAvailable = '55P03';
const maxAttempts = 6;

/** PostgreSQL's five-character error code, for example 23505 for a unique violation. */
export function sqlState(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/**
 * True when PostgreSQL cancelled a statement that may succeed on a retry: a conflict with another one, or its timeout.
 */
export function isRetryable(error: unknown): boolean {
  return [serializationFailure, deadlockDetected, queryCanceled].includes(sqlState(error) ?? '');
}

/** What every transaction of some work ends with: it throws to undo the transaction. */
export interface CommitGuard {
  beforeCommit: (tx: QueryExecutorProvider) => Promise<void>;
  committed: () => void;
}

const guards = new AsyncLocalStorage<CommitGuard>();

/** The guard of the work under way. */
export const currentGuard = (): CommitGuard | undefined => guards.getStore();

/** Runs work, whose transactions the guard ends; a statement that writes alone is one too (repeating-dialect.ts). */
export const withCommitGuard = <Result>(guard: CommitGuard, work: () => Result): Result => guards.run(guard, work);

/**
 * Runs `work` in one transaction: all of it or none. A transaction that PostgreSQL cancelled because of another one
 * (serialization failure, deadlock) is run again from its beginning, so `work` must not have effects outside the
 * database.
 */
export async function transaction<Tables, Result>(
  db: Kysely<Tables>,
  work: (tx: Transaction<Tables>) => Promise<Result>,
  isolation: IsolationLevel = 'read committed',
): Promise<Result> {
  const guard = guards.getStore();
  if (guard === undefined) return repeatedOnConflict(() => db.transaction().setIsolationLevel(isolation).execute(work));
  const guarded = async (tx: Transaction<Tables>): Promise<Result> => {
    const result = await work(tx);
    await guard.beforeCommit(tx);
    return result;
  };
  const result = await repeatedOnConflict(() => db.transaction().setIsolationLevel(isolation).execute(guarded));
  guard.committed();
  return result;
}

/** Does `work`, a whole transaction, again when PostgreSQL cancelled it because of another one. */
export async function repeatedOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isConflict(error) || attempt === maxAttempts) throw error;
      await sleep(2 ** attempt * 5 * (0.5 + Math.random()));
    }
  }
}

/** Does `work`, a whole transaction with a `lock_timeout`, again and again until it gets its locks. Others have them in between. */
export async function repeatedUntilLocked<Result>(work: () => Promise<Result>, pauseMs: number): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!hasState(error, [lockNotAvailable])) throw error;
      await sleep(pauseMs);
    }
  }
}

const isConflict = (error: unknown): boolean => hasState(error, [serializationFailure, deadlockDetected]);

/** Also as the cause of an error that says what was being done. */
function hasState(error: unknown, states: readonly string[]): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((each) => states.includes(sqlState(each) ?? ''));
}

/** Runs `work` in one transaction of a connection that other code uses too, so that what both write is committed together. */
export function transactionOn<Tables, Result>(
  client: ClientBase,
  work: (tx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  // Kysely gives it back, but it is not from a pool.
  const borrowed = Object.assign(client, { release: () => undefined });
  const pool = { connect: async () => borrowed, end: async () => undefined };
  return new Kysely<Tables>({ dialect: new ArrayDialect({ pool }) }).transaction().execute(work);
}

/** Runs `work` between `begin` and `commit` of a connection that nothing else uses meanwhile; all of it or none. */
export async function inTransaction<Result>(client: ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // The first error says what happened, also when the connection broke.
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
