import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, startOfDay } from '#shared/domain/day.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { startS3 } from '#ship/standins/s3/s3.ts';
import { withCold } from './cold-reader.ts';
import { type ColdStore, openColdStore } from './cold-store.ts';
import { LogAway, type LogReader } from './log.ts';
import { postgresReader } from './postgres-reader.ts';
import { postgresWriter } from './postgres-writer.ts';
import { firstDay, SampleBatch, type Sort, sorts, testSort } from './sample-batch.ts';
import { checkExpiry, checkLog } from './test-log.ts';

const root = mkdtempSync(join(tmpdir(), 'octroi-cold-'));
const account = { keyId: 'AKIAEXAMPLE', secret: 'a/secret+key', region: 'ap-south-1' };
let database: TestDatabase;
let s3: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  database = await createTestDatabase();
  s3 = await startS3({ ...account, bucket: 'log', pageSize: 3 });
});
afterAll(async () => {
  await s3.close();
  await database.close();
  rmSync(root, { recursive: true });
});

const newFolder = (): string => mkdtempSync(join(root, 'place-'));
const storeAt = (requestLogColdPlace: string): ColdStore =>
  openColdStore({
    requestLogColdPlace,
    requestLogColdS3KeyId: account.keyId,
    requestLogColdS3Secret: account.secret,
    requestLogColdS3Region: account.region,
  });
/** The first two days of the samples may be cold. */
const firstHotDay = addDays(firstDay, 2);
const readerOf = (store: ColdStore, callsOfPart?: number): LogReader & Required<Pick<LogReader, 'moveDays'>> => {
  const { db } = database;
  const { moveDays, ...reader } = withCold(postgresReader(db), {
    db,
    store,
    firstHotDay: () => firstHotDay,
    ...(callsOfPart === undefined ? {} : { callsOfPart }),
  });
  if (moveDays === undefined) throw new Error('days of this log would stay');
  return { ...reader, moveDays };
};
const move = (reader: Pick<ReturnType<typeof readerOf>, 'moveDays'>): Promise<number> => reader.moveDays(firstHotDay);
const writer = () => postgresWriter(database.owner.pool);

const [answered = testSort, , notFound = testSort] = sorts;
const batchOf = (activation: string, day: number, of: readonly Sort[] = [answered, notFound]): SampleBatch =>
  new SampleBatch(
    { activationId: `ACT-${activation}`, keyId: `KEY-${activation}` },
    of.map((sort, place) => ({ ...sort, at: startOfDay(addDays(firstDay, day)) + 1000 * (place + 1) })),
    { 'quota-exceeded/day': 3 },
  );
const idsIn = async (reader: LogReader, activation: string): Promise<string[]> =>
  (await reader.page(`ACT-${activation}`, {}, { after: undefined, limit: 1000 })).calls.map(
    ({ requestId }) => requestId,
  );
const idsOf = (batches: readonly SampleBatch[]): string[] =>
  batches
    .flatMap(({ list }) => list)
    .toSorted((a, b) => b.at - a.at)
    .map(({ requestId }) => requestId);
const rowsOf = async (activation: string): Promise<number> =>
  (await database.db.selectFrom('request_log').select('id').where('activation_id', '=', `ACT-${activation}`).execute())
    .length;

test.each([
  ['a folder', () => newFolder()],
  ['a store', () => `${s3.url}/live`],
])(
  'a log whose days go cold in %s holds what a plain list would, however late they are written to',
  async (_, place) => {
    const reader = readerOf(storeAt(place()), 20);
    await reader.prepare(addDays(firstDay, 1));
    await checkLog({ writer: writer(), reader }, 40, { coldBefore: firstHotDay });
    await checkExpiry({ writer: writer(), reader });
    await reader.erase(['ACT-expiry']);
    expect(await reader.firstDayIn({ from: firstDay, to: firstHotDay })).toBeNull();
  },
);

test('whatever stops a move, each call is read once, and the next move ends it', async () => {
  const folder = newFolder();
  const whole = storeAt(folder);
  const reader = readerOf(whole);
  await reader.prepare(addDays(firstDay, 1));
  const own = [batchOf('kill', 0), batchOf('kill', 1), batchOf('kill', 2), batchOf('kill-2', 0, [testSort])];
  await writer().append(own);
  let stopped = 0;
  for (let steps = 0; ; steps += 1) {
    let left = steps;
    const dying = <Args extends unknown[], Value>(work: (...args: Args) => Promise<Value>) => {
      return async (...args: Args): Promise<Value> => {
        if ((left -= 1) < 0) throw new Error('killed');
        return work(...args);
      };
    };
    const mortal = { ...whole, put: dying(whole.put), remove: dying(whole.remove) };
    const outcome = await move(readerOf(mortal)).catch(() => 'killed' as const);
    expect(await idsIn(reader, 'kill')).toEqual(idsOf(own.slice(0, 3)));
    expect(await reader.callsOn('ACT-kill', firstDay)).toBe(5);
    expect(await reader.refusedIn({ from: firstDay, to: firstDay }, ['quota-exceeded'])).toHaveLength(2);
    if (outcome !== 'killed') break;
    stopped += 1;
  }
  // Three files and two sheets, and those of the second day.
  expect(stopped).toBe(6);
  expect([await rowsOf('kill'), await rowsOf('kill-2')]).toEqual([1, 0]);
  expect((await reader.find(own[0]?.list[1]?.requestId ?? ''))?.activationId).toBe('ACT-kill');
  expect((await reader.lastTests(['KEY-kill-2'])).get('KEY-kill-2')?.getTime()).toBe(own[3]?.toMs);
});

test('what is written to a day while it moves stays, as does a day that somebody reads', async () => {
  const store = storeAt(newFolder());
  const reader = readerOf(store);
  await reader.prepare(addDays(firstDay, 1));
  const [before, after] = [batchOf('busy', 0), batchOf('busy', 0)];
  await writer().append([before]);
  const correction = before.change(0, notFound);
  if (correction === undefined) throw new Error('nothing changed');
  const disturbed = readerOf({
    ...store,
    put: async (name, content) => {
      await store.put(name, content);
      if (!name.startsWith('calls/ACT-busy/')) return;
      await writer().append([after]);
      await writer().correct(correction);
    },
  });
  expect(await move(disturbed)).toBe(0);
  const statuses = async () =>
    (await reader.page('ACT-busy', {}, { after: undefined, limit: 9 })).calls
      .map(({ status }) => status)
      .toSorted((a, b) => a - b);
  expect(await statuses()).toEqual([200, 404, 404, 404]);
  await database.db.transaction().execute(async (tx) => {
    await sql`select count(*) from request_log`.execute(tx);
    expect(await move(reader)).toBe(0);
  });
  expect(await rowsOf('busy')).toBe(2);
  expect(await move(reader)).toBe(1);
  expect(await rowsOf('busy')).toBe(0);
  expect(await statuses()).toEqual([200, 404, 404, 404]);
});

test('a file holds the calls of one activation; nothing of an erased one or of an expired day is left', async () => {
  const folder = newFolder();
  const reader = readerOf(storeAt(folder));
  await writer().append([
    batchOf('one', 0, [testSort]),
    batchOf('one', 1),
    batchOf('two', 0, [testSort]),
    batchOf('two', 1),
  ]);
  expect(await move(reader)).toBe(2);
  const files = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const [dayOne, dayTwo] = [firstDay, addDays(firstDay, 1)];
  expect(files().filter((name) => name.startsWith('calls/ACT-'))).toEqual(
    ['one', 'two'].flatMap((name) => [
      `calls/ACT-${name}`,
      `calls/ACT-${name}/${dayOne}`,
      `calls/ACT-${name}/${dayTwo}`,
    ]),
  );
  for (const sought of ['ACT-../ACT-one', 'ACT-two/../ACT-one', '..', ''])
    await expect(reader.page(sought, {}, { after: undefined, limit: 9 })).rejects.toThrow('not the id');
  // What a process leaves that was killed while it wrote.
  for (const name of ['calls/ACT-one/2026-03-01.aa.part', 'days/2026-03-01.bb.part', 'tests.cc.part'])
    writeFileSync(join(folder, name), 'ACT-one');
  await reader.erase(['ACT-one']);
  expect(files().filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(files().filter((name) => name.includes('one'))).toEqual(['calls/ACT-one']);
  expect(await idsIn(reader, 'one')).toEqual([]);
  expect((await reader.lastTests(['KEY-one', 'KEY-two'])).has('KEY-one')).toBe(false);
  expect(await idsIn(reader, 'two')).toHaveLength(3);
  await reader.expire(dayTwo);
  expect(await idsIn(reader, 'two')).toHaveLength(2);
  expect((await reader.lastTests(['KEY-two'])).size).toBe(0);
  await reader.expire(firstHotDay);
  expect(readdirSync(join(folder, 'days'))).toEqual([]);
  expect(readFileSync(join(folder, 'tests')).length).toBeLessThan(20);
});

test('while the store is away, old days say so, the others are read, and no day moves', async () => {
  const away = await startS3({ ...account, bucket: 'log' });
  const reader = readerOf(storeAt(`${away.url}/live`));
  await writer().append([batchOf('away', 0), batchOf('away', 2)]);
  await away.close();
  await expect(move(reader)).rejects.toThrow(LogAway);
  expect(await rowsOf('away')).toBe(2);
  await expect(idsIn(reader, 'away')).rejects.toThrow(LogAway);
  const hot = { from: firstHotDay };
  expect((await reader.page('ACT-away', hot, { after: undefined, limit: 9 })).calls).toHaveLength(2);
  expect(await reader.callsOn('ACT-away', firstHotDay)).toBe(5);
  await expect(readerOf(storeAt(join(root, 'not-mounted'))).callsOn('ACT-away', firstDay)).rejects.toThrow(LogAway);
});
