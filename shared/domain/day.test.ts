import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, daysBetween, dayOf, isDay, startOfDay, timeOf } from '#shared/domain/day.ts';

const anyDay = fc.integer({ min: 0, max: 146_096 }).map((count) => addDays('2000-01-01', count));

test.each([
  ['2026-03-31T18:29:59.999Z', '2026-03-31'],
  ['2026-03-31T18:30:00.000Z', '2026-04-01'],
  ['2028-02-28T18:30:00.000Z', '2028-02-29'],
  ['2026-12-31T18:30:00.000Z', '2027-01-01'],
])('%s is on %s in India', (instant, day) => {
  expect(dayOf(Date.parse(instant))).toBe(day);
});

test('the time of an instant is that of India', () => {
  fc.assert(
    fc.property(fc.date({ noInvalidDate: true, min: new Date('1970-01-01'), max: new Date('2099-12-31') }), (at) => {
      const written = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'Asia/Kolkata' });
      expect(timeOf(at.getTime())).toBe(written.format(at));
    }),
  );
});

test('a day begins at midnight in India and not a millisecond earlier', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      expect(dayOf(startOfDay(day))).toBe(day);
      expect(dayOf(startOfDay(day) - 1)).toBe(addDays(day, -1));
      expect(startOfDay(addDays(day, 1)) - startOfDay(day)).toBe(86_400_000);
    }),
  );
});

test('adding days and counting them are inverse operations', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -1000, max: 1000 }), (day, count) => {
      expect(daysBetween(day, addDays(day, count))).toBe(count);
    }),
  );
});

test.each(['2027-02-29', '2026-13-01', '2026-1-1', '21-11-2026', '', '2026-11-21T00:00'])(
  '%s is not a calendar day',
  (text) => {
    expect(isDay(text)).toBe(false);
    expect(() => startOfDay(text)).toThrow(RangeError);
  },
);
