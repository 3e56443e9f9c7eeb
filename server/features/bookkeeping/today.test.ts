import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#database/test-database.ts';
import { selectToday } from './bookkeeping.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test('before the first entry of the ledger, today is the day of the machine, in India', async () => {
  expect(await selectToday(database.db, Date.parse('2026-11-22T20:00:00Z'))).toBe('2026-11-23');
});
