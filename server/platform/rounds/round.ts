import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';

export interface Round {
  /** False when the round was skipped: it is still running, here or in another process, or it was stopped. */
  run: () => Promise<boolean>;
  /** Lets no further round begin and waits for the one that is running. */
  stop: () => Promise<void>;
}

/**
 * Work that is done again and again, and never twice at once: not in this process, and not in several that share the database.
 * @param lock number of the advisory lock that the processes share; any one will do, as long as nothing else uses it
 * @param work its signal is aborted by `stop`: long work should end at its next good place
 */
export function createRound(db: Db, lock: number, work: (stopping: AbortSignal) => Promise<void>): Round {
  const stopping = new AbortController();
  let running: Promise<boolean> | undefined;

  const runAlone = (): Promise<boolean> =>
    // A session's lock, and not a transaction's: one that lies idle for the whole round would be ended by the database.
    db.connection().execute(async (connection) => {
      const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${lock}) as taken`.execute(connection);
      if (rows[0]?.taken !== true) return false;
      try {
        await work(stopping.signal);
        return true;
      } finally {
        await sql`select pg_advisory_unlock(${lock})`.execute(connection);
      }
    });

  return {
    run: async () => {
      if (running !== undefined || stopping.signal.aborted) return false;
      running = runAlone();
      try {
        return await running;
      } finally {
        running = undefined;
      }
    },
    stop: async () => {
      stopping.abort();
      await running?.catch(() => undefined);
    },
  };
}
