import type { Db, Tx } from './connect.ts';
import { condition } from './expressions.ts';

/**
 * What happened to a database that may lack what was committed before. RESTORED: a restore loaded it and did not finish. WENT_BACK: a process has seen
 * later changes than there are. MOVED: PostgreSQL goes on elsewhere, as after a fail-over, and documents go on in new series by themselves.
 */
export type Setback = 'RESTORED' | 'WENT_BACK' | 'MOVED';

/** When a database comes to other data of PostgreSQL: processes that remember the time before notice one that went back, so it never decreases, whatever a clock says. */
export const nextMove = "greatest(clock_timestamp(), moved_at + interval '1 millisecond')";

/** What is to be finished, also where nothing has run since a fail-over; undefined when nothing is. */
export async function readSetback(
  db: Db | Tx,
): Promise<{ setback: Setback; about: string; since: Date | null } | undefined> {
  const row = await db
    .selectFrom('installation')
    .select(['setback', 'setback_reason as about', 'moved_at as since'])
    // A standby has no place of its own: it follows.
    .select(
      condition`case when pg_is_in_recovery() then false else coalesce(runs_on <> database_place(), false) end`.as(
        'isElsewhere',
      ),
    )
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.setback === null)
    return row.isElsewhere ? { setback: 'MOVED', about: 'moved to other data of PostgreSQL', since: null } : undefined;
  return { setback: row.setback, about: row.about ?? '', since: row.setback === 'MOVED' ? row.since : null };
}

/** May what happened then be of what this database lost when it last came to other data, as by a restore? */
export async function isBeforeMove(db: Db | Tx, atMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('installation')
    .select('id')
    .where('moved_at', '>', new Date(atMs))
    .executeTakeFirst();
  return row !== undefined;
}

export const finishing = 'octroi restore --finish';

/** Why nothing starts on it, for the operator; undefined where everything may go on. */
export function refusalOf(setback: string | null | undefined, reason: string | null | undefined): string | undefined {
  if (setback == null || setback === 'MOVED') return undefined;
  const unfinished = setback === 'RESTORED' ? ', and the restore did not finish' : '';
  return `This database ${reason ?? 'went back'}${unfinished}: document numbers may be used twice, and what was ended since is valid again. Finish it first: ${finishing}`;
}
