import type { Pool } from 'pg';
import type { Day } from '#domain/day.ts';

export interface CallKind {
  activation: string;
  cycle: string;
  key: string;
  /** The lease that a unit was taken from: the key where it has a cap, else ''. */
  lease: string;
  day: Day;
  class: number;
  counted: boolean;
}

export interface CallTally extends CallKind {
  calls: number;
  /** Epoch milliseconds of the last of them. */
  lastMs: number;
}

export async function countCalls(
  pool: Pool,
  journalId: string,
  from: number,
  to: number,
  tallies: readonly CallTally[],
): Promise<void> {
  const calls = tallies
    .filter((tally) => tally.calls !== 0)
    .map(({ lastMs, ...tally }) => ({ ...tally, last: new Date(lastMs) }));
  await pool.query({
    name: 'count-calls',
    text: 'select count_calls($1, $2, $3, $4)',
    values: [journalId, from, to, JSON.stringify(calls)],
  });
}

export interface IdempotentCall extends Omit<CallKind, 'counted'> {
  /** Its request id. */
  id: string;
  /** The request id of the call that the response was first given to: its own unless it is a replay; null for a replay that doesn't tell. */
  response: string | null;
  /** SHA-256 of the Idempotency-Key, in hexadecimal digits. */
  keyHash: string;
  /** When the call came. */
  startedAt: Date;
  /** The response broke off: if this call was counted, it is taken back. */
  broken: boolean;
}

export async function countIdempotent(
  pool: Pool,
  journalId: string,
  calls: readonly IdempotentCall[],
): Promise<ReadonlySet<string>> {
  const counted = await pool.query<{ id: string }>({
    name: 'count-repeatable',
    text: 'select id from count_repeatable($1, $2)',
    values: [journalId, JSON.stringify(calls)],
  });
  return new Set(counted.rows.map(({ id }) => id));
}
