import { expect, test } from 'vitest';
import { expectUnbroken, storm } from './test-storm.ts';

test('200 writers in two processes, kill -9 and the change of the financial year leave no gap and no duplicate', async () => {
  const documents = 10_000;
  const series = await storm({ documents, killEveryMs: 2000, mostKills: 100 });
  expect(series.map(({ financialYear, lowest }) => [financialYear, lowest])).toEqual([
    ['2026-27', 1],
    ['2027-28', 1],
  ]);
  expect(series[0]?.kills).toBeGreaterThan(0);
  expectUnbroken(series, documents);
});
