import { expect, test } from 'vitest';
import { storm } from './test-storm.ts';

test('200 writers in two processes, kill -9 and the change of the financial year leave no gap and no duplicate', async () => {
  const documents = 10_000;
  const series = await storm({ documents, killEveryMs: 2000, mostKills: 100 });
  expect(series.map(({ financialYear }) => financialYear)).toEqual(['2026-27', '2027-28']);
  expect(series[0]?.kills).toBeGreaterThan(0);
  expect(series.reduce((sum, { count }) => sum + count, 0)).toBe(documents);
  for (const { count, distinct, lowest, highest, lastNumber, outOfOrder } of series) {
    expect({ distinct, lowest, highest, lastNumber, outOfOrder }).toEqual({
      distinct: count,
      lowest: 1,
      highest: count,
      lastNumber: count,
      outOfOrder: 0,
    });
  }
});
