import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { highestThresholdReached, quotaThresholds } from '#shared/domain/quota-thresholds.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function crossed(before: number, after: number, limit: number): Promise<number[]> {
  const { rows } = await database.pool.query<{ percent: number }>(
    'select percent from quota_steps_crossed($1, $2, $3) as percent order by 1',
    [before, after, limit],
  );
  return rows.map(({ percent }) => percent);
}

test('the database notes the thresholds of the domain', async () => {
  expect(await crossed(0, 5000, 5000)).toEqual(quotaThresholds);
  const calls = fc.nat(300);
  await fc.assert(
    fc.asyncProperty(calls, calls, fc.nat(200), async (before, more, limit) => {
      const from = highestThresholdReached(before, limit) ?? 0;
      const to = highestThresholdReached(before + more, limit) ?? 0;
      const passed = quotaThresholds.filter((percent) => percent > from && percent <= to);
      expect(await crossed(before, before + more, limit)).toEqual(passed);
    }),
  );
});
