import type { z } from 'zod';
import { addDays, type Day, earlierDay, isDay, laterDay, startOfDay } from '#shared/domain/day.ts';
import { readCalls } from '#shared/domain/logged-call.ts';
import { bytesOfRequestId } from '#shared/domain/request-id.ts';
import {
  folderOf,
  readFile,
  readJson,
  readSheet,
  removeFile,
  sheetsFolder,
  testKeys,
  testsName,
  type WholeBatch,
  writeJson,
} from './cold-file.ts';
import type { ColdStore } from './cold-store.ts';
import { soughtId } from './filter.ts';
import type { FoundCall, LogReader } from './log.ts';
import { hotActivations, moveDays } from './move-days.ts';
import { type ColdLog, oldBatches } from './old-batches.ts';
import { pageOf, readBatches } from './postgres-pages.ts';
import { postgresReader } from './postgres-reader.ts';

const firstOfAll: Day = '2000-01-01';
/** A search for a call of anybody reads old days for this long. */
const maxSearchMs = 10_000;

/**
 * Reads a log in PostgreSQL whose old days are files elsewhere, each in its place and, while it moves, once. Questions about days that are never moved don't
 * ask the store.
 */
export function withCold(hot: LogReader, log: ColdLog): LogReader {
  const { db, store, firstHotDay } = log;
  const isOld = (day: Day): boolean => day < firstHotDay();
  const hotFrom = (from: Day): Day => laterDay(from, firstHotDay());
  const lastOld = (): Day => addDays(firstHotDay(), -1);
  /** Adds up batches of old days. */
  const each = async (activationId: string, from: Day, to: Day, add: (batch: WholeBatch) => void): Promise<void> => {
    if (from <= to) for await (const batch of oldBatches(log, activationId, { from, to })) add(batch);
  };
  /** Days that have a sheet, in order. */
  const sheets = async (from: Day, to: Day): Promise<Day[]> => {
    if (from > to) return [];
    const names = await store.list(sheetsFolder);
    return names.map((name) => name.slice(sheetsFolder.length)).filter((day) => isDay(day) && day >= from && day <= to);
  };
  const sumByDay = async (activationId: string, from: Day, of: 'counted' | 'unlisted'): Promise<Map<Day, number>> => {
    const sums = new Map<Day, number>();
    await each(activationId, from, lastOld(), (batch) => {
      if (batch[of] > 0) sums.set(batch.day, (sums.get(batch.day) ?? 0) + batch[of]);
    });
    return sums;
  };
  const findOld = async (requestId: string): Promise<FoundCall | undefined> => {
    const id = Buffer.from(bytesOfRequestId(requestId));
    const deadline = performance.now() + maxSearchMs;
    for (const day of (await sheets(firstOfAll, lastOld())).toReversed())
      for (const activationId of Object.keys((await readSheet(store, day)) ?? {}))
        for await (const { keyId, dictionary, records } of readFile(store, activationId, day)) {
          if (performance.now() > deadline) return undefined;
          const call = records.includes(id)
            ? readCalls(day, dictionary, records).find((one) => one.requestId === requestId)
            : undefined;
          if (call !== undefined) return { ...call, keyId, activationId };
        }
    return undefined;
  };
  /** The problems of an old day by activation, wherever its calls are. */
  const problemsOn = async (day: Day): Promise<[string, Record<string, number>][]> => {
    const sheet = (await readSheet(store, day)) ?? {};
    const own = await hotActivations(db, day);
    for (const activationId of own) {
      const problems: Record<string, number> = {};
      await each(activationId, day, day, (batch) => {
        for (const [name, calls] of Object.entries(batch.problems)) problems[name] = (problems[name] ?? 0) + calls;
      });
      sheet[activationId] = problems;
    }
    return Object.entries(sheet);
  };

  return {
    isApart: hot.isApart,
    page: (activationId, filter, of) => {
      async function* batches() {
        yield* readBatches(db, activationId, { ...filter, from: hotFrom(filter.from ?? firstOfAll) }, of.after?.at);
        const days = { from: filter.from ?? firstOfAll, to: earlierDay(filter.to ?? lastOld(), lastOld()) };
        if (days.from > days.to) return;
        const requestId = soughtId(filter);
        const id = requestId === undefined ? undefined : Buffer.from(bytesOfRequestId(requestId));
        for await (const batch of oldBatches(log, activationId, days, of.after?.at))
          if (id === undefined || batch.records.includes(id)) yield batch;
      }
      return pageOf(batches(), filter, of);
    },
    find: async (requestId) => (await hot.find(requestId)) ?? (await findOld(requestId)),
    countedSince: async (activationId, from) =>
      new Map([
        ...(await hot.countedSince(activationId, hotFrom(from))),
        ...(await sumByDay(activationId, from, 'counted')),
      ]),
    unlistedSince: async (activationId, from) => {
      const old = await sumByDay(activationId, from, 'unlisted');
      return [
        ...(await hot.unlistedSince(activationId, hotFrom(from))),
        ...[...old].map(([day, calls]) => ({ day, calls })).toSorted((a, b) => (a.day > b.day ? -1 : 1)),
      ];
    },
    newest: async (activationIds, from) => {
      const found = await hot.newest(activationIds, hotFrom(from));
      for (const id of isOld(from) ? activationIds : []) {
        if (found.has(id)) continue;
        const { value } = await oldBatches(log, id, { from, to: lastOld() }).next();
        if (value !== undefined) found.set(id, value.id);
      }
      return found;
    },
    problems: async (activationId, day) => {
      if (!isOld(day)) return hot.problems(activationId, day);
      const found = new Map<string, { keyId: string; name: string; calls: number; lastAt: Date }>();
      await each(activationId, day, day, ({ keyId, toMs, problems }) => {
        for (const [name, calls] of Object.entries(problems)) {
          // The newest one comes first.
          const before = found.get(`${keyId} ${name}`) ?? { keyId, name, calls: 0, lastAt: new Date(toMs) };
          found.set(`${keyId} ${name}`, { ...before, calls: before.calls + calls });
        }
      });
      return [...found.values()];
    },
    callsOn: async (activationId, day) => {
      if (!isOld(day)) return hot.callsOn(activationId, day);
      let calls = 0;
      await each(activationId, day, day, (batch) => void (calls += batch.calls + batch.unlisted));
      return calls;
    },
    lastTests: async (keyIds) => {
      const last = await hot.lastTests(keyIds);
      const sought = keyIds.filter((id) => !((last.get(id)?.getTime() ?? 0) >= startOfDay(firstHotDay())));
      const old = sought.length === 0 ? {} : ((await readJson(store, testsName, testKeys)) ?? {});
      for (const id of sought) {
        const atMs = old[id]?.atMs ?? 0;
        if (atMs > (last.get(id)?.getTime() ?? 0)) last.set(id, new Date(atMs));
      }
      return last;
    },
    testsOn: async (keyIds, day) => {
      if (!isOld(day)) return hot.testsOn(keyIds, day);
      const found = new Map<string, number>();
      for (const [activationId] of await problemsOn(day))
        await each(activationId, day, day, ({ keyId, test, calls }) => {
          if (test && keyIds.includes(keyId)) found.set(keyId, (found.get(keyId) ?? 0) + calls);
        });
      return found;
    },
    refusedIn: async ({ from, to }, codes) => {
      const refused = await hot.refusedIn({ from: hotFrom(from), to }, codes);
      const isSought = ([name]: [string, number]): boolean => codes.includes(name.split('/')[0] ?? '');
      for (let day = from; day <= earlierDay(to, lastOld()); day = addDays(day, 1))
        for (const [activationId, problems] of await problemsOn(day)) {
          const calls = Object.entries(problems)
            .filter(isSought)
            .reduce((sum, [, count]) => sum + count, 0);
          if (calls > 0) refused.push({ day, activationId, calls });
        }
      return refused;
    },
    firstDayIn: async (span) => {
      const [hotDay, [oldDay]] = [await hot.firstDayIn(span), await sheets(span.from, earlierDay(span.to, lastOld()))];
      return hotDay === null || oldDay === undefined ? (hotDay ?? oldDay ?? null) : earlierDay(hotDay, oldDay);
    },
    prepare: (today) => hot.prepare(today),
    expire: async (before) => {
      await hot.expire(before);
      for (const day of await sheets(firstOfAll, addDays(before, -1))) {
        for (const activationId of Object.keys((await readSheet(store, day)) ?? {}))
          await removeFile(store, activationId, day);
        await store.remove(sheetsFolder + day);
        await forgetTests(store, ({ atMs }) => atMs < startOfDay(before));
      }
    },
    erase: async (activationIds) => {
      await hot.erase(activationIds);
      for (const activationId of activationIds) {
        const folder = folderOf(activationId);
        for (const name of await store.list(folder)) {
          const day = name.slice(folder.length);
          const { [activationId]: _own, ...sheet } = (isDay(day) && (await readSheet(store, day))) || {};
          if (isDay(day) && Object.keys(sheet).length > 0) await writeJson(store, sheetsFolder + day, sheet);
          else if (isDay(day)) await store.remove(sheetsFolder + day);
          // Behind the sheet: what is left of an erasure that was stopped is found by it.
          await store.remove(name);
        }
      }
      await forgetTests(store, ({ activationId }) => activationIds.includes(activationId));
    },
    moveDays: (before, stopping) => moveDays({ ...log, hot }, before, stopping),
    through: (other) => withCold(postgresReader(other), { ...log, db: other }),
  };
}

async function forgetTests(
  store: ColdStore,
  isGone: (test: z.output<typeof testKeys>[string]) => boolean,
): Promise<void> {
  const tests = Object.entries((await readJson(store, testsName, testKeys)) ?? {});
  const kept = tests.filter(([, test]) => !isGone(test));
  if (kept.length < tests.length) await writeJson(store, testsName, Object.fromEntries(kept));
}
