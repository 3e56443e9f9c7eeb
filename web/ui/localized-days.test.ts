import { expect, test } from 'vitest';
import { addDays } from '#shared/domain/day.ts';
import { dayOfInstant, instantText, relativeDayText, timeText } from '#web/ui/localized-days.ts';

const today = '2026-11-21';

test.each([
  [0, 'Today'],
  [1, 'Yesterday'],
  [2, 'Last Week'],
  [7, 'Last Week'],
  [8, '8 days ago'],
  [18, '18 days ago'],
  [30, '30 days ago'],
  [31, '21 Oct 2026'],
  [400, '17 Oct 2025'],
])('%i days ago reads %s', (ago, text) => {
  expect(relativeDayText(addDays(today, -ago), today)).toBe(text);
});

test('a day to come reads as the full date', () => {
  expect(relativeDayText('2026-11-22', today)).toBe('22 Nov 2026');
});

test('an instant is shown in Indian time, whatever the time zone of the machine', () => {
  expect(dayOfInstant('2026-03-31T18:30:00Z')).toBe('2026-04-01');
  expect(timeText('2026-11-21T08:35:09Z')).toBe('14:05:09');
  expect(instantText('2026-11-21T18:30:00.000Z')).toBe('22 Nov 2026, 00:00');
});
