import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '#shared/domain/day.ts';
import { maxTdsPaise, quarterOf, quartersBetween, tanPattern, tdsSectionOf } from '#shared/domain/tds.ts';

test.each([
  ['2026-03-31', '2025-26 Q4', '194J'],
  ['2026-04-01', '2026-27 Q1', '393(1)'],
  ['2026-09-30', '2026-27 Q2', '393(1)'],
  ['2026-12-31', '2026-27 Q3', '393(1)'],
  ['2027-01-01', '2026-27 Q4', '393(1)'],
])('%s is in the quarter %s, in which s. %s applies', (day, quarter, section) => {
  expect(quarterOf(day)).toBe(quarter);
  expect(tdsSectionOf(quarter)).toBe(section);
});

test('quarters are listed newest first, each once', () => {
  expect(quartersBetween('2026-03-31', '2026-12-31')).toEqual(['2026-27 Q3', '2026-27 Q2', '2026-27 Q1', '2025-26 Q4']);
  fc.assert(
    fc.property(fc.nat(20_000), fc.nat(1500), (start, length) => {
      const from = addDays('2000-01-01', start);
      const to = addDays(from, length);
      const quarters = quartersBetween(from, to);
      const days = Array.from({ length: length + 1 }, (_, index) => quarterOf(addDays(to, -index)));
      expect(quarters).toEqual([...new Set(days)]);
      expect(quarters.toSorted().toReversed()).toEqual(quarters);
    }),
    { numRuns: 50 },
  );
});

test('at most 10 % of the value without GST is deducted, up to the next rupee', () => {
  expect(maxTdsPaise(127_034)).toBe(12_800);
  expect(maxTdsPaise(100_000)).toBe(10_000);
  fc.assert(
    fc.property(fc.nat(100_000_000), (taxablePaise) => {
      const most = maxTdsPaise(taxablePaise);
      expect(most % 100).toBe(0);
      expect(most * 10).toBeGreaterThanOrEqual(taxablePaise);
      expect((most - 100) * 10).toBeLessThan(Math.max(1, taxablePaise));
    }),
  );
});

test.each([
  ['MUMA12345B', true],
  ['muma12345b', false],
  ['MUMA1234B', false],
  ['MUM123456B', false],
])('the TAN %s: %s', (tan, valid) => {
  expect(tanPattern.test(tan)).toBe(valid);
});
