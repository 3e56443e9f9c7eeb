import { expect, test } from 'vitest';
import { expectUnbroken, storm } from './test-storm.ts';

test('200 writers in two processes, kill -9, the end of a series and of the financial year leave no gap and no duplicate', async () => {
  const documents = 300;
  const givenBefore = 999_999 - 70;
  const series = await storm({ documents, killEveryMs: 100, mostKills: 2, givenBefore });
  expect(series.map(({ financialYear, series: name }) => `${financialYear} ${name}`)).toEqual([
    '2026-27 INVOICE',
    '2026-27 INVOICE A',
    '2027-28 INVOICE',
  ]);
  expect(series[0]?.kills).toBeGreaterThan(0);
  expect(series[0]).toMatchObject({ lowest: givenBefore + 1, highest: 999_999, count: 70, lastNumber: 999_999 });
  expectUnbroken(series, documents);
  expect(series.slice(1).map(({ lowest }) => lowest)).toEqual([1, 1]);
});
