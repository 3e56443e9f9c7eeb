import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cycleFrom } from '#shared/domain/cycle.ts';
import { addDays, daysBetween } from '#shared/domain/day.ts';
import { endText, longDay, momentText, periodText, shortDay, spanText } from '#shared/domain/day-text.ts';

test('a day is written day, short month, year, in English and Hindi', () => {
  expect(longDay('2026-11-03')).toBe('3 Nov 2026');
  expect(longDay('2026-09-30')).toBe('30 Sep 2026');
  expect(momentText(new Date('2026-09-11T20:35:00Z'))).toBe('12 Sep 2026, 02:05');
  expect(longDay('2026-09-30', 'hi')).toBe('30 सित॰ 2026');
  expect(shortDay('2027-01-02')).toBe('2 Jan');
});

test('a period names its first and last covered day and their number', () => {
  expect(periodText(cycleFrom('2026-10-14', 30))).toBe('14 Oct – 12 Nov 2026 (30 days)');
  expect(periodText(cycleFrom('2026-10-14', 30), 'hi')).toBe('14 अक्तू॰ – 12 नव॰ 2026 (30 दिन)');
  expect(periodText(cycleFrom('2026-12-14', 30))).toBe('14 Dec 2026 – 12 Jan 2027 (30 days)');
  expect(periodText(cycleFrom('2026-10-14', 1))).toBe('14 Oct 2026 (1 day)');
});

test('an end has its time, and its year when that is another one', () => {
  expect(endText('2026-11-13', '2026-10-14')).toBe('13 Nov, 00:00 IST');
  expect(endText('2027-01-13', '2026-12-14')).toBe('13 Jan 2027, 00:00 IST');
  expect(endText('2026-11-13', '2026-10-14', 'hi')).toBe('13 नव॰, 00:00 IST');
});

test('whatever its dates, a period ends on the day before its toDate and counts its days', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 2, max: 400 }), (offset, days) => {
      const cycle = cycleFrom(addDays('2020-01-01', offset), days);
      const last = addDays(cycle.toDate, -1);
      expect(daysBetween(cycle.fromDate, last)).toBe(days - 1);
      expect(periodText(cycle)).toBe(`${spanText(cycle.fromDate, last)} (${days} days)`);
    }),
  );
});
