import { expect, test } from 'vitest';
import { longDay } from '#shared/domain/day-text.ts';
import { readDay } from '#shared/domain/typed-day.ts';

test.each([
  ['2026-11-03', '2026-11-03'],
  ['3/11/2026', '2026-11-03'],
  ['03-11-2026', '2026-11-03'],
  [' 3.11.2026 ', '2026-11-03'],
  ['3 Nov 2026', '2026-11-03'],
  ['3 november, 2026', '2026-11-03'],
  ['3-Nov-2026', '2026-11-03'],
  ['3 नव॰ 2026', '2026-11-03'],
  ['3 नवंबर 2026', '2026-11-03'],
])('the typed day "%s" is read with the day first', (typed, day) => {
  expect(readDay(typed)).toBe(day);
});

test.each(['', '3 Nov', '3/11/26', '31/2/2026', '13 Nox 2026', '11/13/2026', '3 N 2026'])(
  '"%s" is not a day',
  (typed) => {
    expect(readDay(typed)).toBeUndefined();
  },
);

test('every day that is written is read again, in both languages', () => {
  for (let month = 1; month <= 12; month += 1) {
    const day = `2026-${String(month).padStart(2, '0')}-09`;
    expect([readDay(longDay(day)), readDay(longDay(day, 'hi'))]).toEqual([day, day]);
  }
});
