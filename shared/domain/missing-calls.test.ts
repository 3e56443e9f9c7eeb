import { expect, test } from 'vitest';
import { missingCallsText } from './missing-calls.ts';

test('a request log says how many calls of which days it doesn’t list, and nothing when it lists all', () => {
  const unlisted = [
    { day: '2026-11-27', calls: 19_999 },
    { day: '2026-11-24', calls: 1 },
  ];
  expect(missingCallsText({ unlogged: [{ day: '2026-11-27', calls: 3 }], unlisted })).toEqual([
    '3 counted calls of 27 Nov 2026 are not in this log: they appear in a moment, or an overloaded gateway couldn’t log them.',
    '20,000 refused calls of 24 Nov – 27 Nov 2026 are not listed one by one.',
  ]);
  expect(missingCallsText({ unlogged: [], unlisted: [] })).toEqual([]);
});
