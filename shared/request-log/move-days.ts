import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import {
  folderOf,
  readJson,
  readSheet,
  type Sheet,
  sheetsFolder,
  testKeys,
  testsName,
  type WholeBatch,
  writeFile,
  writeJson,
} from './cold-file.ts';
import type { ColdStore } from './cold-store.ts';
import type { LogReader } from './log.ts';
import { type ColdLog, oldBatches } from './old-batches.ts';

const defaultPartCalls = 50_000;
/** Days that are left after this time move in the next round. */
const maxMs = 60_000;
/** The log keeps none that is older. */
const mostDays = 3650;

/**
 * Moves the days before one into the store, the oldest first; returns how many. All files of a day are written and read back before its table is
 * dropped, so that whoever is killed meanwhile leaves each call where it can be read, and the next round begins the day again. A day that something was
 * written to meanwhile stays until then.
 */
export async function moveDays(
  log: Omit<ColdLog, 'firstHotDay'> & { hot: LogReader },
  before: Day,
  stopping?: AbortSignal,
): Promise<number> {
  const deadline = performance.now() + maxMs;
  const first = () => log.hot.firstDayIn({ from: addDays(before, -mostDays), to: addDays(before, -1) });
  let day = await first();
  for (let moved = 0; ; moved += 1) {
    if (day === null || stopping?.aborted || performance.now() > deadline) return moved;
    const of = day;
    const state = await patiently(log.db, '10min', (tx) => stateUntil(tx, of));
    if (!(await writeDay(log, day, stopping)) || !(await dropUntil(log.db, day, state))) return moved;
    const next = await first();
    if (next === day) return moved;
    day = next;
  }
}

/** For statements that read all rows of a day. */
const patiently = <Value>(db: Db, timeout: string, work: (tx: Db) => Promise<Value>): Promise<Value> =>
  db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = ${sql.lit(timeout)}`.execute(tx);
    return work(tx);
  });

/** What changes with every batch that is added or corrected. */
async function stateUntil(db: Db, day: Day): Promise<string> {
  const result = await sql`
    select count(*) || ' ' || coalesce(sum(hashtextextended(id::text || xmin::text, 0)), 0) as state
    from request_log where day <= ${day}`.execute(db);
  return checkedRows(z.object({ state: z.string() }), result)[0]?.state ?? '';
}

/** Who logged calls that are in the database, on a day. */
export async function hotActivations(db: Db, day: Day): Promise<string[]> {
  const rows = await db
    .selectFrom('request_log')
    .select('activation_id')
    .distinct()
    .where('day', '=', day)
    .orderBy('activation_id')
    .execute();
  return rows.map((row) => row.activation_id);
}

/** Writes the files of a day; false if it was stopped. */
async function writeDay(log: Omit<ColdLog, 'firstHotDay'>, day: Day, stopping?: AbortSignal): Promise<boolean> {
  const { db, store, callsOfPart = defaultPartCalls } = log;
  const own = await patiently(db, '10min', (tx) => hotActivations(tx, day));
  const sheet = await keptSheet(store, day, own);
  // First, so that whoever deletes the day or an activation finds all files.
  await writeJson(store, sheetsFolder + day, { ...sheet, ...Object.fromEntries(own.map((id) => [id, {}])) });
  const tests: z.output<typeof testKeys> = {};
  for (const activationId of own) {
    if (stopping?.aborted) return false;
    const problems: Record<string, number> = {};
    const noted = noting(oldBatches(log, activationId, { from: day, to: day }), (batch) => {
      for (const [name, calls] of Object.entries(batch.problems)) problems[name] = (problems[name] ?? 0) + calls;
      if (batch.test) tests[batch.keyId] = { activationId, atMs: Math.max(tests[batch.keyId]?.atMs ?? 0, batch.toMs) };
    });
    await writeFile(store, activationId, day, inChunks(noted, callsOfPart));
    sheet[activationId] = problems;
  }
  await writeJson(store, sheetsFolder + day, sheet);
  await noteTests(store, tests);
  return true;
}

/** Of a day that went cold before: the activations that have nothing new, and still a file. */
async function keptSheet(store: ColdStore, day: Day, own: readonly string[]): Promise<Sheet> {
  const kept: Sheet = {};
  for (const [activationId, problems] of Object.entries((await readSheet(store, day)) ?? {}))
    if (!own.includes(activationId) && (await store.get(folderOf(activationId) + day)) !== undefined)
      kept[activationId] = problems;
  return kept;
}

async function* noting(batches: AsyncIterable<WholeBatch>, note: (batch: WholeBatch) => void) {
  for await (const batch of batches) {
    note(batch);
    yield batch;
  }
}

async function* inChunks(batches: AsyncIterable<WholeBatch>, callsOfPart: number): AsyncGenerator<WholeBatch[]> {
  let chunk: WholeBatch[] = [];
  let calls = 0;
  for await (const batch of batches) {
    if (calls + batch.calls > callsOfPart && chunk.length > 0) {
      yield chunk;
      chunk = [];
      calls = 0;
    }
    chunk.push(batch);
    calls += batch.calls;
  }
  if (chunk.length > 0) yield chunk;
}

async function noteTests(store: ColdStore, tests: z.output<typeof testKeys>): Promise<void> {
  if (Object.keys(tests).length === 0) return;
  const before = (await readJson(store, testsName, testKeys)) ?? {};
  for (const [keyId, test] of Object.entries(tests))
    if (!(test.atMs < (before[keyId]?.atMs ?? 0))) before[keyId] = test;
  await writeJson(store, testsName, before);
}

/** Drops the tables until a day; false if they have changed. They stay, too, while somebody reads the log for long. */
function dropUntil(db: Db, day: Day, state: string): Promise<boolean> {
  return patiently(db, '1min', async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx);
    // Writers lock the whole before a day of it, so this keeps all of them out.
    await sql`lock table only request_log in share mode`.execute(tx);
    if ((await stateUntil(tx, day)) !== state) return false;
    await sql`select drop_request_log_days(${addDays(day, 1)})`.execute(tx);
    return true;
  }).catch((error: unknown) => {
    if (isLockTimeout(error)) return false;
    throw error;
  });
}

const isLockTimeout = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '55P03';
