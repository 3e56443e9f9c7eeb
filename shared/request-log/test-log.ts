import fc from 'fast-check';
import { expect } from 'vitest';
import { problemName, readProblem } from '#shared/domain/call-problem.ts';
import { addDays, type Day, dayOf, earlierDay, startOfDay } from '#shared/domain/day.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import { newestFirst } from './filter.ts';
import type { KeyCall, LogFilter, LogReader, LogWriter } from './log.ts';
import { days, firstDay, sorts, SampleBatch, testSort } from './sample-batch.ts';

/** What every log must do, against a plain list. */

const drawnBatch = fc.record({
  activation: fc.nat(1),
  key: fc.nat(2),
  day: fc.nat(days - 1),
  /** Seconds since 00:00 IST; near midnight often. */
  second: fc.oneof(fc.nat(86_000), fc.constantFrom(0, 43_200)),
  calls: fc.array(fc.record({ sort: fc.nat(sorts.length - 1), ms: fc.nat(200_000) }), { minLength: 1, maxLength: 30 }),
  unlisted: fc.oneof(fc.constant(0), fc.nat(40)),
  repeats: fc.nat(2),
  corrections: fc.array(fc.record({ index: fc.nat(29), sort: fc.nat(sorts.length - 1), repeats: fc.nat(1) }), {
    maxLength: 4,
  }),
  /** It comes when days may have gone cold. */
  late: fc.boolean(),
});
type Drawn = typeof drawnBatch extends fc.Arbitrary<infer Value> ? Value : never;

const words = [
  'states',
  'GET',
  'get /tax',
  'quota-exceeded/second',
  'NOT-found',
  'con/nect',
  'hsn delete',
  '27AAPFU0939F1ZV',
  '?',
  'x%y',
];
const drawnFilter: fc.Arbitrary<LogFilter & { id?: number }> = fc.record(
  {
    from: fc.nat(days).map((day) => addDays(firstDay, day)),
    to: fc.nat(days).map((day) => addDays(firstDay, day)),
    keyId: fc.constantFrom('0', '1'),
    status: fc.constantFrom('200', '4xx', '429', '5xx', '302'),
    counted: fc.constantFrom('yes' as const, 'no' as const),
    q: fc.constantFrom(...words),
    /** Searches for one of the calls instead. */
    id: fc.nat(100),
  },
  { requiredKeys: [] },
);

/** What a filter means, in plain words. */
function isWanted(call: KeyCall, { from, to, keyId, status, counted, q }: LogFilter): boolean {
  const day = dayOf(call.at);
  if (from !== undefined && day < from) return false;
  if (to !== undefined && day > to) return false;
  if (keyId !== undefined && call.keyId !== keyId) return false;
  if (status !== undefined && !String(call.status).startsWith(status.replace('xx', ''))) return false;
  if (counted !== undefined && call.units > 0 !== (counted === 'yes')) return false;
  if (q === undefined) return true;
  if (q.startsWith('req_')) return call.requestId === q;
  const name = call.problem === undefined ? '' : problemName(readProblem(call.problem));
  const text = `${call.method} ${call.path} ${name}`.toLowerCase();
  return q
    .replace('27AAPFU0939F1ZV', '27**********1zv')
    .replace('?', '')
    .toLowerCase()
    .split(' ')
    .every((word) => text.includes(word));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const sumsBy = <Item>(items: readonly Item[], keyOf: (item: Item) => string, of: (item: Item) => number) =>
  new Map([...groupBy(items, keyOf)].map(([key, group]) => [key, sum(group.map(of))]));

async function readAll(reader: LogReader, activationId: string, filter: LogFilter, limit: number): Promise<KeyCall[]> {
  const calls: KeyCall[] = [];
  let after: KeyCall | { at: number; requestId: string } | undefined;
  for (;;) {
    const page = await reader.page(activationId, filter, { after, limit });
    expect(page.calls.length).toBeLessThanOrEqual(limit);
    calls.push(...page.calls);
    if (page.next === null) return calls;
    after = page.next;
  }
}

const plain = ({ requestId, at, latencyMs, method, path, status, units, reason, problem, keyId }: KeyCall) => ({
  requestId,
  at,
  latencyMs,
  method,
  path,
  status,
  units,
  reason,
  problem,
  keyId,
});

let draws = 0;

/** Writes random batches, again and corrected, and reads them in every way. `coldBefore`: days before may go cold meanwhile. */
export async function checkLog(
  { writer, reader }: { writer: LogWriter; reader: LogReader },
  numRuns: number,
  { coldBefore = firstDay }: { coldBefore?: Day } = {},
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawnBatch, { minLength: 1, maxLength: 8 }),
      fc.array(fc.tuple(drawnFilter, fc.integer({ min: 1, max: 40 })), { maxLength: 6 }),
      fc.tuple(fc.nat(days), fc.nat(days)),
      async (drawn, filters, cold) => {
        draws += 1;
        const activations = [`ACT-${draws}-a`, `ACT-${draws}-b`];
        const keyOf = (key: number | string) => `KEY-${draws}-${key}`;
        const batches = drawn.map((each) => batchOf(each, activations[each.activation] ?? '', keyOf(each.key)));
        for (const [turn, upTo] of cold.entries()) {
          for (const [place, batch] of batches.entries()) {
            if (turn === 0 && drawn[place]?.late === true) continue;
            await writer.append([batch]);
            if (turn === Number(drawn[place]?.late)) await disturb(writer, batch, drawn[place]);
          }
          await reader.moveDays?.(earlierDay(addDays(firstDay, upTo), coldBefore));
        }
        try {
          for (const activationId of activations) {
            const own = batches.filter((batch) => batch.activationId === activationId);
            await checkActivation(reader, activationId, own);
            const calls = own.flatMap(({ list }) => list).toSorted(newestFirst);
            for (const [{ id, keyId, ...drawnOf }, limit] of filters) {
              const sought = id === undefined ? undefined : calls[id % Math.max(1, calls.length)]?.requestId;
              const filter = {
                ...drawnOf,
                ...(keyId === undefined ? {} : { keyId: keyOf(keyId) }),
                ...(sought === undefined ? {} : { q: sought }),
              };
              const read = await readAll(reader, activationId, filter, limit);
              expect(read.map(plain)).toEqual(calls.filter((call) => isWanted(call, filter)).map(plain));
            }
          }
          await checkTests(reader, batches, [0, 1, 2].map(keyOf));
        } finally {
          await reader.erase(activations);
        }
        for (const activationId of activations) {
          expect(await reader.page(activationId, {}, { after: undefined, limit: 5 })).toEqual({
            calls: [],
            next: null,
          });
          expect(await reader.callsOn(activationId, firstDay)).toBe(0);
        }
      },
    ),
    { numRuns },
  );
}

/** Test calls are those of a key of their own. */
const testKey = 2;

function batchOf({ day, second, calls, unlisted, key }: Drawn, activationId: string, keyId: string): SampleBatch {
  const begin = startOfDay(addDays(firstDay, day)) + second * 1000;
  const of = calls.map(({ sort, ms }) => ({
    ...(key === testKey ? testSort : (sorts[sort] ?? testSort)),
    at: begin + ms,
  }));
  return new SampleBatch({ activationId, keyId }, of, unlisted === 0 ? {} : { 'quota-exceeded/day': unlisted });
}

/** What a gateway does that does not know the fate of its statement: it sends it again. */
async function disturb(writer: LogWriter, batch: SampleBatch, drawn: Drawn | undefined): Promise<void> {
  for (let times = 0; times < (drawn?.repeats ?? 0); times += 1) await writer.append([batch]);
  if (batch.test) return;
  for (const { index, sort, repeats } of drawn?.corrections ?? []) {
    const correction = batch.change(index % batch.calls, sorts[sort] ?? testSort);
    if (correction === undefined) continue;
    for (let times = 0; times <= repeats; times += 1) await writer.correct(correction);
  }
}

async function checkActivation(
  reader: LogReader,
  activationId: string,
  batches: readonly SampleBatch[],
): Promise<void> {
  const byDay = (of: (batch: SampleBatch) => number) => {
    const sums = [...sumsBy(batches, ({ day }) => day, of)].filter(([, calls]) => calls > 0);
    return new Map(sums);
  };
  expect(withoutZeros(await reader.countedSince(activationId, firstDay))).toEqual(byDay(({ counted }) => counted));
  const unlisted = await reader.unlistedSince(activationId, firstDay);
  expect(new Map(unlisted.map(({ day, calls }) => [day, calls]))).toEqual(byDay((batch) => batch.unlisted));
  expect(unlisted.map(({ day }) => day)).toEqual(
    unlisted
      .map(({ day }) => day)
      .toSorted()
      .toReversed(),
  );
  for (let day = firstDay; day < addDays(firstDay, days); day = addDays(day, 1)) {
    const own = batches.filter((batch) => batch.day === day);
    expect(await reader.callsOn(activationId, day)).toBe(sum(own.map((batch) => batch.calls + batch.unlisted)));
    const problems = await reader.problems(activationId, day);
    const wanted = sumsBy(
      own.flatMap(({ keyId, problemCounts }) => [...problemCounts].map(([name, calls]) => ({ keyId, name, calls }))),
      ({ keyId, name }) => `${keyId} ${name}`,
      ({ calls }) => calls,
    );
    expect(new Map(problems.map(({ keyId, name, calls }) => [`${keyId} ${name}`, calls]))).toEqual(wanted);
    for (const { keyId, name, lastAt } of problems) {
      const of = own.filter((batch) => batch.keyId === keyId && batch.problemCounts.has(name));
      expect(lastAt.getTime()).toBe(Math.max(...of.map(({ toMs }) => toMs)));
    }
    const refused = (await reader.refusedIn({ from: day, to: day }, ['quota-exceeded'])).filter(
      (row) => row.activationId === activationId,
    );
    const refusedCalls = [...wanted].filter(([name]) => name.includes('quota-exceeded')).map(([, calls]) => calls);
    expect(sum(refused.map(({ calls }) => calls))).toBe(sum(refusedCalls));
  }
  const newest = (await reader.newest([activationId], firstDay)).get(activationId);
  const last = Math.max(...batches.map(({ toMs }) => toMs));
  const candidates = batches.filter(({ toMs }) => toMs === last).map(({ id }) => id);
  expect(newest === undefined ? [] : [newest]).toEqual(
    candidates.filter((id) => candidates.length === 1 || id === newest),
  );
  for (const { list } of batches.slice(0, 2)) {
    const [call] = list;
    const found = call && (await reader.find(call.requestId));
    expect(found && { ...plain(found), activationId: found.activationId }).toEqual(
      call && { ...plain(call), activationId },
    );
  }
}

const withoutZeros = (of: ReadonlyMap<string, number>) => new Map([...of].filter(([, calls]) => calls !== 0));

async function checkTests(
  reader: LogReader,
  batches: readonly SampleBatch[],
  keyIds: readonly string[],
): Promise<void> {
  const tests = batches.filter(({ test }) => test);
  const lastMs = new Map(
    [...groupBy(tests, ({ keyId }) => keyId)].map(([keyId, of]) => [keyId, Math.max(...of.map(({ toMs }) => toMs))]),
  );
  const last = await reader.lastTests(keyIds);
  expect(new Map([...last].map(([keyId, at]) => [keyId, at.getTime()]))).toEqual(lastMs);
  for (let day = firstDay; day < addDays(firstDay, days); day = addDays(day, 1)) {
    const own = tests.filter((batch) => batch.day === day);
    expect(await reader.testsOn(keyIds, day)).toEqual(
      sumsBy(
        own,
        ({ keyId }) => keyId,
        ({ calls }) => calls,
      ),
    );
  }
  const logged = batches.map(({ day }) => day).toSorted();
  const span = { from: firstDay, to: addDays(firstDay, days) };
  expect(await reader.firstDayIn(span)).toBe(logged[0]);
}

/** Days before one go, and the others stay. Call it last. */
export async function checkExpiry({ writer, reader }: { writer: LogWriter; reader: LogReader }): Promise<void> {
  const batches = [0, 1, 2].map((day) =>
    batchOf(
      {
        activation: 0,
        key: 0,
        day,
        second: 5,
        calls: [{ sort: 0, ms: day }],
        unlisted: 0,
        repeats: 0,
        corrections: [],
        late: false,
      },
      'ACT-expiry',
      'KEY-expiry',
    ),
  );
  await writer.append(batches);
  await reader.moveDays?.(addDays(firstDay, 2));
  await reader.expire(addDays(firstDay, 1));
  const left = await readAll(reader, 'ACT-expiry', {}, 10);
  expect(left.map(plain)).toEqual(
    batches
      .slice(1)
      .flatMap(({ list }) => list)
      .toSorted(newestFirst)
      .map(plain),
  );
  expect(await reader.firstDayIn({ from: firstDay, to: addDays(firstDay, days) })).toBe(addDays(firstDay, 1));
}
