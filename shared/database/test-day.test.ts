import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf } from '#shared/domain/day.ts';
import { tooLateMs, waitForDayMs } from './test-day.ts';

const waitAt = (time: string) => waitForDayMs(Date.parse(`2026-11-24T${time}+05:30`));

test('a test begins at once, except in the last five minutes before midnight in India: then it begins with the new day', () => {
  expect(['00:00', '12:00', '23:54:59.999'].map(waitAt)).toEqual([0, 0, 0]);
  expect(waitAt('23:55')).toBe(300_000);
  expect(waitAt('23:59:59.999')).toBe(1);
});

test('at every instant a test that has waited has at least five minutes until its day ends', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('2020-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }), (date) => {
      const begin = date.getTime() + waitForDayMs(date.getTime());
      expect(dayOf(begin + tooLateMs)).toBe(dayOf(begin));
    }),
  );
});
