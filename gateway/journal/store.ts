import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';
import type { Day } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

export interface CallKind {
  activation: string;
  cycle: string;
  key: string;
  /** The lease that the unit came from: the key if it has a cap, else ''. */
  lease: string;
  day: Day;
  class: number;
  counted: boolean;
  /** Units of quota that each of these calls uses, if it is counted. */
  units: number;
}

export interface CallTally extends CallKind {
  calls: number;
  /** Epoch milliseconds of the last call. */
  lastMs: number;
}

const uncountedCalls = z.object({
  activation: z.string(),
  cycle: z.string(),
  calls: z.number(),
  /** Units that its counted calls used. */
  units: z.number(),
  /** Null if the database can't read their day. */
  firstDay: z.string().nullable(),
  lastDay: z.string().nullable(),
  /** Why the database rejects them; null if it does not have their plan, since it was restored from a backup that is older. */
  fault: z.string().nullable(),
});
/** Calls that can't be counted. */
export type UncountedCalls = z.output<typeof uncountedCalls>;

/** Counts calls of a journal, and returns those that can't be. */
export async function countCalls(
  pool: Pool | ClientBase,
  journalId: string,
  from: number,
  to: number,
  tallies: readonly CallTally[],
): Promise<UncountedCalls[]> {
  const calls = tallies
    .filter((tally) => tally.calls !== 0)
    .map(({ lastMs, ...tally }) => ({ ...tally, last: new Date(lastMs) }));
  const uncounted = await pool.query({
    name: 'count-journal',
    text: `select activation_id as activation, cycle_id as cycle, calls, units, first_day as "firstDay", last_day as "lastDay", fault
      from count_journal($1, $2, $3, $4)`,
    values: [journalId, from, to, JSON.stringify(calls)],
  });
  return checkedRows(uncountedCalls, uncounted);
}

/** Sequence of the newest line of a journal that the database has counted. */
export async function countedPosition(pool: Pool, journalId: string): Promise<number> {
  const read = await pool.query('select position from journals where id = $1', [journalId]);
  const [journal] = checkedRows(z.object({ position: z.number() }), read);
  if (journal === undefined) throw new Error(`the database does not have the journal ${journalId}`);
  return journal.position;
}

export interface IdempotentCall extends Omit<CallKind, 'counted'> {
  /** Its request id. */
  id: string;
  /** The request id of the call that first got this response: its own unless it is a replay; null if a replay doesn't name it. */
  response: string | null;
  /** SHA-256 of the Idempotency-Key, in hexadecimal digits. */
  keyHash: string;
  /** When the call arrived. */
  startedAt: Date;
  /** The response broke off: if the call was counted, that is undone. */
  broken: boolean;
}

export async function countIdempotent(
  pool: Pool,
  journalId: string,
  calls: readonly IdempotentCall[],
): Promise<ReadonlySet<string>> {
  const counted = await pool.query({
    name: 'count-repeatable',
    text: 'select id from count_repeatable($1, $2)',
    values: [journalId, JSON.stringify(calls)],
  });
  return new Set(checkedRows(z.object({ id: z.string() }), counted).map(({ id }) => id));
}
