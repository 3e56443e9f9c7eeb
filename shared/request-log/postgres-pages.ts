import type { Db } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import { readSearch } from '#shared/domain/call-search.ts';
import type { Day } from '#shared/domain/day.ts';
import { type CallType, readCalls, recordsBytes } from '#shared/domain/logged-call.ts';
import { callMatcher, newestFirst, typeMatcher } from './filter.ts';
import type { KeyCall, LogFilter, LogPage, Place } from './log.ts';

/** A batch of the log: calls of one key, the last of them at `toMs`. */
export interface PageBatch {
  id: string;
  toMs: number;
  keyId: string;
  day: Day;
  dictionary: string;
  records: Buffer;
}

/** Maximum duration of a batch; the table enforces it. */
const maxBatchMs = 10 * 60_000;
const minBatches = 4;
const maxBatches = 64;
/** A page reads about this many calls; one that has found too few by then ends there, and the next one goes on. */
const maxCallsRead = 50_000;

/** Do the records of batch `b` have the bytes of a request id? They may also begin in the middle of a record. */
export const mayHold = (id: Uint8Array) => condition`position(${Buffer.from(id)}::bytea in b.records) > 0`;

/**
 * Batches of an activation that may contain calls matching the filter, by their newest call, newest first. `until`: only batches with
 * calls at or before this time, in epoch milliseconds. `after`: the last batch that was read before.
 */
export function selectBatches(
  db: Db,
  activationId: string,
  { from, to, keyId, status, counted, q }: LogFilter,
  { until, after, limit }: { until: number | undefined; after: { id: string; to_at: Date } | undefined; limit: number },
) {
  let query = db
    .selectFrom('request_log as b')
    .select(['b.id', 'b.to_at', 'b.key_id', 'b.day', 'b.dictionary', 'b.records'])
    .where('b.activation_id', '=', activationId)
    .orderBy('b.to_at', 'desc')
    .orderBy('b.id', 'desc')
    .limit(limit);
  if (from !== undefined) query = query.where('b.day', '>=', from);
  if (to !== undefined) query = query.where('b.day', '<=', to);
  if (keyId !== undefined) query = query.where('b.key_id', '=', keyId);
  if (counted === 'yes') query = query.where('b.counted', '>', 0);
  if (counted === 'no') query = query.whereRef('b.counted', '<', 'b.calls');
  if (status?.endsWith('xx')) {
    query = query.where(condition`exists (select from unnest(b.statuses) s where s / 100 = ${Number(status[0])})`);
  } else if (status !== undefined) query = query.where(condition`${Number(status)} = any (b.statuses)`);
  if (q !== undefined) {
    // Narrows the batches down; the calls in them are matched one by one.
    const { id, words } = readSearch(q);
    if (id !== undefined) query = query.where(mayHold(id));
    for (const word of words) {
      query = query.where(condition`(strpos(lower(b.dictionary), ${word}) > 0
        or exists (select from jsonb_object_keys(b.problems) p where strpos(p, ${word}) > 0))`);
    }
  }
  if (until !== undefined) {
    query = query.where('b.from_at', '<=', new Date(until)).where('b.to_at', '<=', new Date(until + maxBatchMs));
  }
  if (after !== undefined)
    query = query.where((row) => row(row.refTuple('b.to_at', 'b.id'), '<', row.tuple(after.to_at, after.id)));
  return query.execute();
}

/** The same, a few and then more at a time, with calls until the newest that a page may have. */
export async function* readBatches(
  db: Db,
  activationId: string,
  filter: LogFilter,
  until: number | undefined,
): AsyncGenerator<PageBatch> {
  let after: { id: string; to_at: Date } | undefined;
  for (let limit = minBatches; ; limit = Math.min(limit * 2, maxBatches)) {
    const batches = await selectBatches(db, activationId, filter, { until, after, limit });
    for (const { id, to_at: toAt, key_id: keyId, day, dictionary, records } of batches)
      yield { id, toMs: toAt.getTime(), keyId, day, dictionary, records };
    after = batches.at(-1);
    if (batches.length < limit) return;
  }
}

/**
 * A page of the calls in batches, which come newest first. Reads batches by their newest call until no other batch can contain a call of the
 * page, so that a page costs about as much as the batches it comes from, however long the log is.
 */
export async function pageOf(
  batches: AsyncIterator<PageBatch>,
  filter: LogFilter,
  { after, limit }: { after: Place | undefined; limit: number },
): Promise<LogPage> {
  const isWanted = typeMatcher(filter);
  const matches = callMatcher(filter, after);
  const until = after?.at;
  let calls: KeyCall[] = [];
  let bytesRead = 0;
  for (let size = minBatches; ; size = Math.min(size * 2, maxBatches)) {
    const read = await take(batches, size);
    const ofKey = read.filter(({ keyId }) => filter.keyId === undefined || keyId === filter.keyId);
    const found = ofKey.flatMap((batch) => callsOf(batch, isWanted)).filter(matches);
    // One more than the page has: whether there is a next one.
    calls = [...calls, ...found].toSorted(newestFirst).slice(0, limit + 1);
    bytesRead += read.reduce((sum, { records }) => sum + records.length, 0);
    // Batches not read yet are not newer than the last one that was read.
    const unreadMs = read.length < size ? -Infinity : (read.at(-1)?.toMs ?? -Infinity);
    const oldest = calls[limit];
    if (unreadMs === -Infinity || (oldest !== undefined && oldest.at > unreadMs)) {
      const page = calls.slice(0, limit);
      return { calls: page, next: (oldest && page.at(-1)) ?? null };
    }
    // The next page reads again what overlaps with its first calls: it must begin earlier than this one did.
    const end = { at: unreadMs + 1, requestId: '' };
    if (bytesRead >= recordsBytes(maxCallsRead) && (until === undefined || end.at < until))
      return { calls: calls.filter(({ at }) => at >= end.at), next: end };
  }
}

/** The next ones; fewer where they end. */
async function take<Item>(from: AsyncIterator<Item>, count: number): Promise<Item[]> {
  const items: Item[] = [];
  while (items.length < count) {
    const next = await from.next();
    if (next.done === true) break;
    items.push(next.value);
  }
  return items;
}

function callsOf(batch: PageBatch, isWanted: (type: CallType) => boolean): KeyCall[] {
  const key = { keyId: batch.keyId };
  return readCalls(batch.day, batch.dictionary, batch.records, isWanted).map((call) => Object.assign(call, key));
}
