import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

export interface Round {
  /** False when the round was skipped: it is still running, here or in another process, or was stopped. */
  run: () => Promise<boolean>;
  /** Starts no further round and waits for the running one. */
  stop: () => Promise<void>;
}

/**
 * Repeated work that never runs twice at the same time, neither in this process nor in others that share the database.
 * @param lock number of the advisory lock that the processes share; any number that nothing else uses
 * @param work `stop` aborts its signal: long work should then end at the next safe point
 */
export function createRound(db: Db, lock: number, work: (stopping: AbortSignal) => Promise<void>): Round {
  const stopping = new AbortController();
  let running: Promise<boolean> | undefined;

  const runAlone = (): Promise<boolean> =>
    // A session lock, not a transaction lock: the database would end a transaction that is idle for the whole round.
    db.connection().execute(async (connection) => {
      const tried = await sql`select pg_try_advisory_lock(${lock}) as taken`.execute(connection);
      if (checkedRows(z.object({ taken: z.boolean() }), tried)[0]?.taken !== true) return false;
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
