import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readHealth } from './health.ts';
import { readTimesAhead } from './times-ahead.ts';
import { startTestPortal, type TestPortal } from './test/portal.ts';

let world: TestPortal;
beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
});
afterAll(() => world.close());

const planted = [
  ['settlement_reading.read_until', `update settlement_reading set read_until = now() + interval '40 days'`],
  ['settlement_reading.compared_at', `update settlement_reading set compared_at = now() + interval '1 hour'`],
  [
    'ledger_checks.whole_checked_at',
    `insert into ledger_checks (only_row, checked_at, position, hash, faults, whole_checked_at)
      values (true, now(), 0, '', '[]', now() + interval '1 hour')`,
  ],
  ['clock.reached_day', `update clock set reached_day = now() + interval '100 days'`],
] as const;

test.each(planted)('%s that lies ahead is named', async (name, plant) => {
  const { portal, owner } = world;
  expect(await readTimesAhead(portal)).toEqual([]);
  const tx = await owner.db.startTransaction().execute();
  onTestFinished(() => tx.rollback().execute());
  await sql.raw(plant).execute(tx);
  expect(await readTimesAhead({ ...portal, db: tx })).toEqual([name]);
});

test('health fails while a stored time lies ahead', async () => {
  const { portal } = world;
  expect(await readHealth(portal)).toMatchObject({ status: 'ok', timesAhead: [] });
  await portal.db.updateTable('settlement_reading').set({ read_until: '2099-01-01' }).execute();
  expect(await readHealth(portal)).toMatchObject({ status: 'failing', timesAhead: ['settlement_reading.read_until'] });
});
