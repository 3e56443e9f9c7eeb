import { randomUUID } from 'node:crypto';
import { addDays, type Day, dayOf, startOfDay } from '#domain/day.ts';
import { type LoggedCall, writeCallLine } from '#domain/logged-call.ts';
import { maskPath } from './mask-path.ts';

/** What became of one call, for the customer whose key made it. It decides nothing: quotas and usage are counted by the journal. */
export interface Entry extends Pick<LoggedCall, 'requestId' | 'at' | 'method' | 'status' | 'counted' | 'reason'> {
  activationId: string;
  keyId: string;
  /** As it was called; the query is cut off and numbers are masked before it is written. */
  target: string;
  latencyMs: number;
  /** The batch in which it stands, once it does. */
  batchId: string | undefined;
}

/** Calls of one key on one IST day that lie in one row. */
export interface Batch {
  id: string;
  activationId: string;
  keyId: string;
  day: Day;
  test: boolean;
  fromMs: number;
  toMs: number;
  calls: number;
  counted: number;
  statuses: Set<number>;
  lines: string;
}

const mostCalls = 500;
/** Half of what the database allows: a page of the log looks for its calls in batches around its time. */
const longestMs = 5 * 60_000;

/** Puts calls into batches, each call into exactly one, and tells it which. */
export function fillBatches(entries: readonly Entry[]): Batch[] {
  const batches: Batch[] = [];
  const open = new Map<string, Batch>();
  let day: Day | undefined;
  let dayStartsAt = 0;
  let dayEndsAt = 0;
  for (const entry of entries) {
    if (day === undefined || entry.at < dayStartsAt || entry.at >= dayEndsAt) {
      day = dayOf(entry.at);
      dayStartsAt = startOfDay(day);
      dayEndsAt = startOfDay(addDays(day, 1));
    }
    const test = entry.reason === 'test';
    const kind = test ? `${entry.keyId} test` : entry.keyId;
    let batch = open.get(kind);
    if (batch === undefined || batch.day !== day || batch.calls >= mostCalls || !isNear(batch, entry.at)) {
      const { activationId, keyId, at } = entry;
      const none = { calls: 0, counted: 0, statuses: new Set<number>(), lines: '' };
      batch = { id: randomUUID(), activationId, keyId, day, test, fromMs: at, toMs: at, ...none };
      open.set(kind, batch);
      batches.push(batch);
    }
    entry.batchId = batch.id;
    batch.calls += 1;
    if (entry.counted) batch.counted += 1;
    batch.fromMs = Math.min(batch.fromMs, entry.at);
    batch.toMs = Math.max(batch.toMs, entry.at);
    batch.statuses.add(entry.status);
    batch.lines += lineOf(entry);
  }
  return batches;
}

function isNear({ fromMs, toMs }: Batch, at: number): boolean {
  return Math.max(toMs, at) - Math.min(fromMs, at) <= longestMs;
}

/** A call's line of its batch. */
export function lineOf(entry: Entry): string {
  return writeCallLine({
    requestId: entry.requestId,
    at: entry.at,
    method: entry.method,
    path: maskPath(entry.target),
    status: entry.status,
    latencyMs: Math.max(0, Math.round(entry.latencyMs)),
    counted: entry.counted,
    reason: entry.reason,
  });
}
