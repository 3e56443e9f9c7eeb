import { expect, test } from 'vitest';
import { expectUnbroken, storm } from './test-storm.ts';

test('200 writers in two processes, kill -9 and the change of the financial year leave no gap and no duplicate', async () => {
  const documents = 300;
  const series = await storm({ documents, killEveryMs: 100, mostKills: 2 });
  expect(series.map(({ financialYear, lowest }) => [financialYear, lowest])).toEqual([
    ['2026-27', 1],
    ['2027-28', 1],
  ]);
  expect(series[0]?.kills).toBeGreaterThan(0);
  expectUnbroken(series, documents);
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
  expectUnbroken(series, documents);
  expect(series.slice(1).map(({ lowest }) => lowest)).toEqual([1, 1]);
});
