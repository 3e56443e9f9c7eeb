import { expect, test } from 'vitest';
import { retryText } from '#web/features/reference/retry-text.ts';

test.each([
  [7, '2026-11-22T08:00:00.000Z', 'Try again in 7 s.'],
  [600, '2026-11-22T08:00:00.000Z', 'Try again after 13:40 IST (in 10 min).'],
  [82_125, '2026-11-21T19:41:15.400Z', 'Try again after 00:00 IST (in 22 h 49 min).'],
  [3600, '2026-11-22T08:00:00.000Z', 'Try again after 14:30 IST (in 1 h 0 min).'],
])('Retry-After of %i s at %s reads: %s', (seconds, now, text) => {
  expect(retryText(seconds, Date.parse(now))).toBe(text);
});
