import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '#shared/domain/day.ts';
import { assertMonth, firstDayOf, lastDayOf, monthBefore, monthOf, nextMonth } from '#shared/domain/month.ts';

test('a month ends on the day before the next one begins, also in leap years and December', () => {
  expect(['2026-02', '2028-02', '2026-12'].map(lastDayOf)).toEqual(['2026-02-28', '2028-02-29', '2026-12-31']);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 73_000 }), (days) => {
      const month = monthOf(addDays('2000-01-01', days));
      expect(monthOf(lastDayOf(month))).toBe(month);
      expect(addDays(lastDayOf(month), 1)).toBe(firstDayOf(nextMonth(month)));
    }),
  );
});

test('the month before January is December', () => {
  expect(monthBefore('2027-01')).toBe('2026-12');
});

test('a text that is not a month is refused', () => {
  for (const text of ['2026-13', '2026-1', '2026', '11-2026', '2026-00', '1969-12', '0001-01', '9999-12'])
    expect(() => assertMonth(text)).toThrow(RangeError);
  expect(assertMonth('2026-11')).toBe('2026-11');
});
