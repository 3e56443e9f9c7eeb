import type { LoggedRequest, RequestFilter } from '#shared/contract/request-log.ts';
import type { Db } from '#shared/database/connect.ts';
import { soughtTypes } from '#shared/domain/call-search.ts';
import { readProblem } from '#shared/domain/call-problem.ts';
import { addDays, startOfDay } from '#shared/domain/day.ts';
import { type CallType, type LoggedCall, readCalls, recordsBytes } from '#shared/domain/logged-call.ts';
import { isRequestId } from '#shared/domain/request-ids.ts';
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
/** A page reads about this many calls; one that has found too few by then ends there, and the next one goes on. */
const maxCallsRead = 50_000;

/** Calls of a page, and the place from which on others may be found; null if there are no others. */
interface Page {
  requests: LoggedRequest[];
  next: Place | null;
}

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
): Promise<Page> {
  const isWanted = typeMatcher(filter);
  const matches = matcher(filter, after);
  const until = after?.at;
  let calls: FoundCall[] = [];
  let last: StoredBatch | undefined;
  let bytesRead = 0;
  for (let size = minBatches; ; size = Math.min(size * 2, maxBatches)) {
    const batches = await selectBatches(owner, db, activationId, filter, { until, after: last, limit: size });
    const found = batches.flatMap((batch) => callsOf(batch, isWanted)).filter(matches);
    // One more than the page has: whether there is a next one.
    calls = [...calls, ...found].toSorted(newestFirst).slice(0, limit + 1);
    bytesRead += batches.reduce((sum, { records }) => sum + records.length, 0);
    last = batches.at(-1);
    // Batches not read yet are not newer than the last one that was read.
    const unreadMs = last === undefined || batches.length < size ? -Infinity : last.to_at.getTime();
    const oldest = calls[limit];
    if (unreadMs === -Infinity || (oldest !== undefined && oldest.at > unreadMs)) {
      const requests = calls.slice(0, limit);
      return { requests: requests.map(shown), next: (oldest && requests.at(-1)) ?? null };
    }
    // The next page reads again what overlaps with its first calls: it must begin earlier than this one did.
    const end = { at: unreadMs + 1, requestId: '' };
    if (bytesRead >= recordsBytes(maxCallsRead) && (until === undefined || end.at < until))
      return { requests: calls.filter(({ at }) => at >= end.at).map(shown), next: end };
  }
}

function callsOf(batch: StoredBatch, isWanted: (type: CallType) => boolean): FoundCall[] {
  const key = { keyId: batch.key_id, keyName: batch.key_name, isTest: batch.test };
  return readCalls(batch.day, batch.dictionary, batch.records, isWanted).map((call) => Object.assign(call, key));
}

/** Matches what calls share, which is much less work than to look at each. */
function typeMatcher({ status, counted, q }: RequestFilter): (type: CallType) => boolean {
  const wanted = status?.endsWith('xx') ? status[0] : status;
  const isSought = q === undefined ? undefined : soughtTypes(q);
  return (type) =>
    (wanted === undefined || String(type.status).startsWith(wanted)) &&
    (counted === undefined || type.units > 0 === (counted === 'yes')) &&
    (isSought === undefined || isSought(type));
}

function matcher({ from, to, q }: RequestFilter, after: Place | undefined): (call: LoggedCall) => boolean {
  const fromMs = from === undefined ? -Infinity : startOfDay(from);
  const toMs = to === undefined ? Infinity : startOfDay(addDays(to, 1));
  const id = q !== undefined && isRequestId(q.trim()) ? q.trim() : undefined;
  return (call) =>
    call.at >= fromMs &&
    call.at < toMs &&
    (id === undefined || call.requestId === id) &&
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
