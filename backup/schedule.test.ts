import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextBackupAt } from './schedule.ts';

const at = (text: string): number => Date.parse(text);

test.each([
  ['2026-11-23T10:00:00+05:30', '2026-11-23T02:30:00+05:30', '2026-11-24T02:30:00+05:30'],
  ['2026-11-23T02:29:00+05:30', '2026-11-22T02:31:00+05:30', '2026-11-23T02:30:00+05:30'],
  // Made by hand in the evening: the night's is due all the same.
  ['2026-11-22T22:00:00+05:30', '2026-11-22T21:00:00+05:30', '2026-11-23T02:30:00+05:30'],
  // Missed while the machine was off.
  ['2026-11-25T09:00:00+05:30', '2026-11-23T02:30:00+05:30', '2026-11-25T09:00:00+05:30'],
])('at %s, with the newest of %s, the next backup is due at %s', (now, newest, due) => {
  expect(nextBackupAt(at(now), '02:30', at(newest))).toBe(at(due));
});

test('without any backup one is due at once', () => {
  expect(nextBackupAt(at('2026-11-23T10:00:00Z'), '02:30', undefined)).toBe(at('2026-11-23T10:00:00Z'));
});

test('the next one is due within a day, and never in the past', () => {
  const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2e12 }),
      fc.integer({ min: 0, max: 1e9 }),
      time,
      (now, age, [hour, minute]) => {
        const text = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
        const due = nextBackupAt(now, text, now - age);
        expect(due).toBeGreaterThanOrEqual(now);
        expect(due - now).toBeLessThanOrEqual(86_400_000);
        expect(due === now || (due / 60_000 + 330) % 1440 === hour * 60 + minute).toBe(true);
      },
    ),
  );
});
