import { expect, test } from 'vitest';
import { isStartDayFree, rangePart } from '#web/features/cycles/start-days.ts';

const taken = [{ fromDate: '2026-12-03', toDate: '2027-01-02' }];

test('a start day is free when the whole cycle fits between existing ones', () => {
  expect(isStartDayFree('2026-11-03', 30, taken)).toBe(true);
  expect(isStartDayFree('2026-11-04', 30, taken)).toBe(false);
  expect(isStartDayFree('2026-12-20', 30, taken)).toBe(false);
  expect(isStartDayFree('2027-01-01', 30, taken)).toBe(false);
  expect(isStartDayFree('2027-01-02', 30, taken)).toBe(true);
});

test('the range runs from the start to the first day that is no longer covered', () => {
  expect(rangePart('2026-11-24', '2026-11-24', 30)).toBe('start');
  expect(rangePart('2026-11-25', '2026-11-24', 30)).toBe('inside');
  expect(rangePart('2026-12-23', '2026-11-24', 30)).toBe('inside');
  expect(rangePart('2026-12-24', '2026-11-24', 30)).toBe('end');
  expect(rangePart('2026-12-25', '2026-11-24', 30)).toBeUndefined();
  expect(rangePart('2026-11-23', '2026-11-24', 30)).toBeUndefined();
  expect(rangePart('2026-11-24', null, 30)).toBeUndefined();
});
