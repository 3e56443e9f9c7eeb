import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '#shared/domain/day.ts';
import { endingNoticeDue } from '#shared/domain/reminder.ts';

const since = '2026-11-01';

test.each([
  [30, 8, undefined],
  [30, 7, 7],
  [30, 5, 7],
  [30, 3, 3],
  [30, 2, 3],
  [30, 1, 1],
  [30, 0, undefined],
  [30, -2, undefined],
  [7, 7, undefined],
  [7, 3, 3],
  [1, 1, undefined],
])('a plan of %i days with %i left: notice %s', (length, left, notice) => {
  const toDate = addDays(since, length);
  expect(endingNoticeDue({ since, toDate }, addDays(toDate, -left))).toBe(notice);
});

test('with a daily check, a plan gets each notice shorter than itself, in order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), (length) => {
      const toDate = addDays(since, length);
      const days = Array.from({ length: length + 5 }, (_, index) => addDays(since, index));
      const notices = days.flatMap((today) => endingNoticeDue({ since, toDate }, today) ?? []);
      expect([...new Set(notices)]).toEqual([7, 3, 1].filter((notice) => notice < length));
    }),
  );
});
