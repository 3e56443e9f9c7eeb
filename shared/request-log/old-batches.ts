import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { type Day, isDay, startOfDay } from '#shared/domain/day.ts';
import { folderOf, newerBatch, readFile, type WholeBatch } from './cold-file.ts';
import type { ColdStore } from './cold-store.ts';

/** A log in PostgreSQL whose old days lie elsewhere. */
export interface ColdLog {
  db: Db;
  store: ColdStore;
  /** No day since then has moved. */
  firstHotDay: () => Day;
  /** A part of a file: what a page reads at most, and a megabyte. */
  callsOfPart?: number;
}

interface Days {
  from: Day;
  to: Day;
}

const rowsAtOnce = 500;
const problemCounts = z.record(z.string(), z.number());

/** Batches of an activation in the database, newest first, with those that have calls until then. */
async function* hotBatches(
  db: Db,
  activationId: string,
  { from, to }: Days,
  untilMs: number,
): AsyncGenerator<WholeBatch> {
  let query = db
    .selectFrom('request_log as b')
    .select(['b.id', 'b.key_id', 'b.day', 'b.test', 'b.from_at', 'b.to_at', 'b.calls', 'b.counted', 'b.unlisted'])
    .select(['b.dictionary', 'b.problems', 'b.records'])
    .where('b.activation_id', '=', activationId)
    .where('b.day', '>=', from)
    .where('b.day', '<=', to)
    .orderBy('b.to_at', 'desc')
    .orderBy('b.id', 'desc')
    .limit(rowsAtOnce);
  if (untilMs !== Infinity) query = query.where('b.from_at', '<=', new Date(untilMs));
  let next = query;
  for (;;) {
    const rows = await next.execute();
    for (const { key_id: keyId, from_at: fromAt, to_at: toAt, problems, ...batch } of rows)
      yield {
        ...batch,
        keyId,
        fromMs: fromAt.getTime(),
        toMs: toAt.getTime(),
        problems: problemCounts.parse(problems),
      };
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return;
    next = query.where((row) => row(row.refTuple('b.to_at', 'b.id'), '<', row.tuple(last.to_at, last.id)));
  }
}

/** The same of days that went cold. */
async function* coldBatches(
  store: ColdStore,
  activationId: string,
  { from, to }: Days,
  untilMs: number,
): AsyncGenerator<WholeBatch> {
  const folder = folderOf(activationId);
  const days = (await store.list(folder)).map((name) => name.slice(folder.length)).filter(isDay);
  for (const day of days.toReversed())
    if (day >= from && day <= to && startOfDay(day) <= untilMs) yield* readFile(store, activationId, day, untilMs);
}

/**
 * Batches of an activation on old days, wherever they are, newest first: each once. One that is in both places counts as it is in the database, where it
 * may have been corrected: a day is in both while it moves, and when a gateway wrote something of it afterwards.
 */
export async function* oldBatches(
  { db, store }: Pick<ColdLog, 'db' | 'store'>,
  activationId: string,
  days: Days,
  untilMs = Infinity,
): AsyncGenerator<WholeBatch> {
  const hot = hotBatches(db, activationId, days, untilMs);
  const cold = coldBatches(store, activationId, days, untilMs);
  // The database first: what leaves it meanwhile is in the store by then.
  let ofHot = await hot.next();
  let ofCold = await cold.next();
  for (;;) {
    if (ofHot.done !== true && (ofCold.done === true || newerBatch(ofHot.value, ofCold.value) <= 0)) {
      if (ofCold.done !== true && ofCold.value.id === ofHot.value.id) ofCold = await cold.next();
      yield ofHot.value;
      ofHot = await hot.next();
    } else if (ofCold.done !== true) {
      yield ofCold.value;
      ofCold = await cold.next();
    } else return;
  }
}
