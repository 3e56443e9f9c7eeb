import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { createLog } from '#shared/platform/log.ts';
import { listFailedWork, readTimedWork } from './failed-work.ts';
import { type Items, runStep } from './steps.ts';

let database: TestDatabase;
let nowMs = Date.now();
const log = createLog('test', { level: 'silent' });
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => database.db.deleteFrom('failed_work').execute());

const run = (work: (items: Items) => Promise<unknown>, stopping?: AbortSignal) =>
  runStep({ db: database.db, log, machineClock: () => nowMs }, 'step', work, stopping);
const minutes = (count: number) => void (nowMs += count * 60_000);

/** Goes through the items, of which these fail; returns those that were tried. */
async function through(all: string[], failing: string[]) {
  const tried: string[] = [];
  const outcome = await run(async ({ each }) => {
    for (const item of all)
      await each(item, async () => {
        tried.push(item);
        if (failing.includes(item)) throw new Error(`no luck with ${item}`);
      });
  });
  return { tried, outcome };
}

test('an item that fails keeps no other waiting, and is recorded with its reason', async () => {
  expect(await through(['a', 'b', 'c'], ['b'])).toEqual({ tried: ['a', 'b', 'c'], outcome: 'some-failed' });
  expect(await listFailedWork(database.db)).toMatchObject([
    { step: 'step', item: 'b', failures: 1, error: 'no luck with b', since: new Date(nowMs) },
  ]);
});

test('it is tried again after 1, 2, 4, 8 and then every 15 minutes, and forgotten once it succeeds', async () => {
  const waits: number[] = [];
  await through(['a'], ['a']);
  for (let attempt = 0; attempt < 6; attempt += 1) {
    let waited = 0;
    for (let tried: string[] = []; tried.length === 0; waited += 1) {
      minutes(1);
      ({ tried } = await through(['a'], ['a']));
    }
    waits.push(waited);
  }
  expect(waits).toEqual([1, 2, 4, 8, 15, 15]);
  minutes(15);
  expect(await through(['a'], [])).toEqual({ tried: ['a'], outcome: 'done' });
  expect(await listFailedWork(database.db)).toEqual([]);
});

test('an item that is no longer due is forgotten, but not while the step is stopped', async () => {
  await through(['a', 'b'], ['a', 'b']);
  minutes(1);
  const stopped = AbortSignal.abort();
  expect(await run(async () => undefined, stopped)).toBe('stopped');
  expect(await listFailedWork(database.db)).toHaveLength(2);
  expect(await run(async ({ due }) => expect(due.toSorted()).toEqual(['a', 'b']))).toBe('done');
  expect(await listFailedWork(database.db)).toEqual([]);
});

async function breakAfterOne({ each }: Items): Promise<void> {
  await each('a', async () => undefined);
  throw new Error('the list can’t be read');
}

test('a step that fails as a whole waits too, and what had succeeded is not forgotten about', async () => {
  await through(['a'], ['a']);
  minutes(1);
  expect(await run(breakAfterOne)).toBe('whole-failed');
  expect(await listFailedWork(database.db)).toMatchObject([{ item: '', error: 'the list can’t be read' }]);
  expect(await run(breakAfterOne)).toBe('waiting');
  minutes(1);
  expect(await run(async () => undefined)).toBe('done');
});

test('while PostgreSQL is away a step throws, and health fails once work has failed for an hour', async () => {
  const away = Object.assign(new Error('connection lost'), { code: 'ECONNREFUSED' });
  await expect(run(({ each }) => each('a', () => Promise.reject(away)))).rejects.toBe(away);
  const health = () => readTimedWork({ db: database.db, machineClock: () => nowMs });
  expect(await health()).toEqual({ ok: true, failing: [] });
  await through(['a', 'b'], ['a', 'b']);
  const since = new Date(nowMs).toISOString();
  expect(await health()).toEqual({ ok: true, failing: [{ step: 'step', count: 2, since }] });
  minutes(60);
  expect((await health()).ok).toBe(false);
});
