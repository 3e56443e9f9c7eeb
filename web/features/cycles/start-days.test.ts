import { expect, test } from 'vitest';
import { isStartDayFree, rangePart, whyTaken } from '#web/features/cycles/start-days.ts';

const taken = [{ fromDate: '2026-12-03', toDate: '2027-01-02' }];

test('a start day is free when the whole cycle fits between existing ones', () => {
  expect(isStartDayFree('2026-11-03', 30, taken)).toBe(true);
  expect(isStartDayFree('2026-11-04', 30, taken)).toBe(false);
  expect(isStartDayFree('2026-12-20', 30, taken)).toBe(false);
  expect(isStartDayFree('2027-01-01', 30, taken)).toBe(false);
  expect(isStartDayFree('2027-01-02', 30, taken)).toBe(true);
});

test('a day that cannot be the start says which cycle is in the way', () => {
  const [cycle] = taken;
  expect(whyTaken('2026-11-03', 30, taken)).toBeUndefined();
  expect(whyTaken('2026-11-04', 30, taken)).toEqual({ cycle, covers: false });
  expect(whyTaken('2026-12-20', 30, taken)).toEqual({ cycle, covers: true });
  expect(whyTaken('2027-01-02', 30, taken)).toBeUndefined();
});

test('the range runs from the start to the last day that is covered', () => {
  expect(rangePart('2026-11-24', '2026-11-24', 30)).toBe('start');
  expect(rangePart('2026-11-25', '2026-11-24', 30)).toBe('inside');
  expect(rangePart('2026-12-22', '2026-11-24', 30)).toBe('inside');
  expect(rangePart('2026-12-23', '2026-11-24', 30)).toBe('end');
  expect(rangePart('2026-12-24', '2026-11-24', 30)).toBeUndefined();
  expect(rangePart('2026-11-23', '2026-11-24', 30)).toBeUndefined();
  expect(rangePart('2026-11-24', null, 30)).toBeUndefined();
});
