import { expect, test } from 'vitest';
import { storm } from './test-storm.ts';

test('200 writers in two processes, kill -9 and the change of the financial year leave no gap and no duplicate', async () => {
  const documents = 300;
  const series = await storm({ documents, killEveryMs: 100, mostKills: 2 });
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

test('a full series is followed by the next one without a gap or a duplicate, with 200 writers that are killed', async () => {
  const documents = 300;
  const givenBefore = 999_999 - 70;
  const series = await storm({ documents, killEveryMs: 100, mostKills: 2, givenBefore });
  expect(series.map(({ financialYear, series: name }) => `${financialYear} ${name}`)).toEqual([
    '2026-27 INVOICE',
    '2026-27 INVOICE A',
    '2027-28 INVOICE',
  ]);
  expect(series[0]).toMatchObject({ lowest: givenBefore + 1, highest: 999_999, count: 70, lastNumber: 999_999 });
  expect(series.reduce((sum, { count }) => sum + count, 0)).toBe(documents);
  for (const { count, distinct, lowest, highest, lastNumber, outOfOrder } of series) {
    expect({ distinct, count, lastNumber, outOfOrder }).toEqual({
      distinct: count,
      count: highest - lowest + 1,
      lastNumber: highest,
      outOfOrder: 0,
    });
  }
  expect(series.slice(1).map(({ lowest }) => lowest)).toEqual([1, 1]);
});
