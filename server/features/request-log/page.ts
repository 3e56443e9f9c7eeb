import type { LoggedRequest, RequestFilter } from '#shared/contract/request-log.ts';
import type { Db } from '#shared/database/connect.ts';
import { soughtCalls } from '#shared/domain/call-search.ts';
import { readProblem } from '#shared/domain/call-problem.ts';
import { addDays, startOfDay } from '#shared/domain/day.ts';
import { type LoggedCall, readCalls } from '#shared/domain/logged-call.ts';
import type { Owner } from '#server/portal.ts';
import { selectBatches, type StoredBatch } from './store.ts';

/** A position in the log: everything older than this call. */
export type Place = Pick<LoggedCall, 'at' | 'requestId'>;

/** A call with its key. */
interface FoundCall extends LoggedCall {
  keyId: string;
  keyName: string;
  isTest: boolean;
}

const minBatches = 4;
const maxBatches = 64;

/**
 * Calls of an activation, newest first. Reads batches by their newest call until no other batch can contain a call of the page, so
 * that a page costs about as much as the batches it comes from, however long the log is.
 */
export async function selectRequests(
  owner: Owner,
  db: Db,
  activationId: string,
  filter: RequestFilter,
  { after, limit }: { after: Place | undefined; limit: number },
): Promise<LoggedRequest[]> {
  const matches = matcher(filter, after);
  const until = after?.at;
  let calls: FoundCall[] = [];
  let last: StoredBatch | undefined;
  for (let size = minBatches; ; size = Math.min(size * 2, maxBatches)) {
    const batches = await selectBatches(owner, db, activationId, filter, { until, after: last, limit: size });
    calls = [...calls, ...batches.flatMap(callsOf).filter(matches)].toSorted(newestFirst).slice(0, limit);
    last = batches.at(-1);
    // Batches not read yet are not newer than the last one that was read.
    const oldest = calls[limit - 1];
    const isWhole = oldest !== undefined && last !== undefined && oldest.at > last.to_at.getTime();
    if (isWhole || batches.length < size) return calls.map(shown);
  }
}

function callsOf(batch: StoredBatch): FoundCall[] {
  const key = { keyId: batch.key_id, keyName: batch.key_name, isTest: batch.test };
  return readCalls(batch.day, batch.dictionary, batch.records).map((call) => Object.assign(call, key));
}

function matcher(
  { from, to, status, counted, q }: RequestFilter,
  after: Place | undefined,
): (call: LoggedCall) => boolean {
  const fromMs = from === undefined ? -Infinity : startOfDay(from);
  const toMs = to === undefined ? Infinity : startOfDay(addDays(to, 1));
  const wanted = status?.endsWith('xx') ? status[0] : status;
  const isSought = q === undefined ? undefined : soughtCalls(q);
  return (call) =>
    call.at >= fromMs &&
    call.at < toMs &&
    (wanted === undefined || String(call.status).startsWith(wanted)) &&
    (counted === undefined || call.units > 0 === (counted === 'yes')) &&
    (isSought === undefined || isSought(call)) &&
    (after === undefined || newestFirst(after, call) < 0);
}

function newestFirst(a: Place, b: Place): number {
  if (a.at !== b.at) return b.at - a.at;
  if (a.requestId === b.requestId) return 0;
  return a.requestId > b.requestId ? -1 : 1;
}

function shown({ at, problem, ...call }: FoundCall): LoggedRequest {
  return {
    ...call,
    counted: call.units > 0,
    at: new Date(at).toISOString(),
    problem: problem === undefined ? null : readProblem(problem),
  };
}
