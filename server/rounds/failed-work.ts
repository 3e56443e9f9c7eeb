import type { Db } from '#shared/database/connect.ts';
import { countRows } from '#shared/database/expressions.ts';
import type { Clock } from '#shared/platform/clock.ts';

/** For how long timed work may fail before the portal's health does. */
const longestFailureMs = 3_600_000;

/** One failure may be a moment of load; it has been tried again by then. */
export const keepsFailing = ({ failures }: { failures: number }): boolean => failures >= 3;

/** For /backend/health and the metrics: how much of each step of timed work fails, and since when. */
export async function readTimedWork({ db, machineClock }: { db: Db; machineClock: Clock }) {
  const failing = await db
    .selectFrom('failed_work')
    .select((work) => ['step', countRows().as('count'), work.fn.min('since').as('since')])
    .groupBy('step')
    .orderBy('step')
    .execute();
  const oldest = Math.min(...failing.map(({ since }) => since.getTime()));
  return {
    ok: machineClock() - oldest < longestFailureMs || failing.length === 0,
    failing: failing.map(({ step, count, since }) => ({ step, count, since: since.toISOString() })),
  };
}

/** What fails, with the reason of the last attempt; the oldest first. */
export const listFailedWork = (db: Db) =>
  db.selectFrom('failed_work').selectAll().orderBy('since').orderBy('step').orderBy('item').execute();
