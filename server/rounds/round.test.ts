import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type Connection } from '#shared/database/connect.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { createRound } from './round.ts';

let database: TestDatabase;
/** A connection as another process would have it. */
let other: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  other = connect(database.databaseUrl, { applicationName: 'octroi test' });
});
afterAll(async () => {
  await other.close();
  await database.close();
});

/** Work that runs until it is released. */
function heldWork() {
  const begun: (() => void)[] = [];
  return {
    hasBegun: () => expect.poll(() => begun.length).toBe(1),
    times: () => begun.length,
    work: () => new Promise<void>((resolve) => void begun.push(resolve)),
    release: () => begun.forEach((resolve) => resolve()),
  };
}

test('a round does not start before the previous one has ended', async () => {
  const held = heldWork();
  const round = createRound(database.db, 1, held.work);
  const first = round.run();
  await held.hasBegun();
  expect(await Promise.all([round.run(), round.run()])).toEqual([false, false]);
  expect(held.times()).toBe(1);
  held.release();
  expect(await first).toBe(true);
  const next = round.run();
  await expect.poll(held.times).toBe(2);
  held.release();
  expect(await next).toBe(true);
});

test('one process at a time runs a round; another can when it has ended', async () => {
  const held = heldWork();
  const here = createRound(database.db, 2, held.work);
  const first = here.run();
  await held.hasBegun();
  const there = createRound(other.db, 2, async () => undefined);
  expect(await there.run()).toBe(false);
  const ofAnotherKind = createRound(other.db, 3, async () => undefined);
  expect(await ofAnotherKind.run()).toBe(true);
  held.release();
  await first;
  expect(await there.run()).toBe(true);
});

test('stopping signals the running round, waits for it, and starts no other', async () => {
  const held = heldWork();
  let isTold = false;
  const round = createRound(database.db, 4, async (stopping) => {
    await held.work();
    isTold = stopping.aborted;
    await database.db.selectFrom('clock').selectAll().execute();
  });
  const running = round.run();
  await held.hasBegun();
  let hasStopped = false;
  const stopped = round.stop().then(() => (hasStopped = true));
  expect(await round.run()).toBe(false);
  expect(hasStopped).toBe(false);
  held.release();
  await stopped;
  expect(await running).toBe(true);
  expect(isTold).toBe(true);
});

test('a round that fails releases its lock', async () => {
  const failing = createRound(database.db, 5, () => Promise.reject(new Error('no luck')));
  await expect(failing.run()).rejects.toThrow('no luck');
  expect(await createRound(other.db, 5, async () => undefined).run()).toBe(true);
});
