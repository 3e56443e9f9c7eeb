import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { readProductClock } from '#server/product-clock.ts';
import { selectToday } from './bookkeeping.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const machine = () => Date.parse('2026-11-22T20:00:00Z');
const today = async () => selectToday(database.db, await readProductClock(database.db, machine));

test('before the first entry of the ledger, today is the day of the machine, in India', async () => {
  expect(await today()).toBe('2026-11-23');
});

test('a clock that was moved moves today of commands too, and a machine that went back does not', async () => {
  await database.db.updateTable('clock').set({ reached_day: '2026-12-01' }).execute();
  expect(await today()).toBe('2026-12-01');
  await database.db.updateTable('clock').set({ offset_ms: 86_400_000 }).execute();
  expect(await today()).toBe('2026-11-24');
});
