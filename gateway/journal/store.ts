import type { ClientBase, Pool } from 'pg';
import { z } from 'zod';
import type { Day } from '#domain/day.ts';
import { checkedRows } from '#platform/checked-rows.ts';

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

export async function countCalls(
  pool: Pool | ClientBase,
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
