import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, daysBetween } from './day.ts';
import { dpdpRulesFrom, isRequestLate, keptUntil, notErasedBefore } from './erasure.ts';

const anyDay = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('2017-07-01', days));

test('papers are kept for 72 months from the due date of the annual return, and for eight financial years', () => {
  expect(keptUntil('2026-11-23')).toEqual({ gst: '2033-12-31', books: '2035-03-31', last: '2035-03-31' });
  expect(keptUntil('2027-03-31')).toEqual(keptUntil('2026-04-01'));
  expect(keptUntil('2027-04-01').gst).toBe('2034-12-31');
  fc.assert(
    fc.property(anyDay, anyDay, (one, other) => {
      const [first, second] = one < other ? [one, other] : [other, one];
      const kept = keptUntil(first);
      // 31 December is at least nine months after the end of the year; 72 months follow.
      expect(daysBetween(first, kept.gst)).toBeGreaterThanOrEqual(365 * 6 + 275);
      expect(kept.last >= kept.gst && kept.last >= kept.books).toBe(true);
      expect(keptUntil(second).last >= kept.last).toBe(true);
    }),
  );
});

test('from 13 May 2027 on, data is kept for a year after it was last processed', () => {
  expect(notErasedBefore('2027-05-01', '2027-05-12')).toBeNull();
  expect(notErasedBefore('2026-05-14', '2027-05-13')).toBe('2027-05-14');
  expect(notErasedBefore('2026-05-13', '2027-05-13')).toBeNull();
  expect(notErasedBefore('2028-02-29', '2028-06-01')).toBe('2029-03-01');
  fc.assert(
    fc.property(anyDay, fc.nat(3000), (processed, later) => {
      const today = addDays(processed, later);
      const first = notErasedBefore(processed, today);
      const mustWait = today >= dpdpRulesFrom && later < 365;
      const mayGo = today < dpdpRulesFrom || later >= 366;
      expect(first === null && mustWait, 'erased too early').toBe(false);
      expect(first !== null && mayGo, 'kept too long').toBe(false);
      expect(first === null || daysBetween(processed, first) >= 365).toBe(true);
    }),
  );
});

test('a request for erasure is late after thirty days', () => {
  expect(isRequestLate('2026-11-01', '2026-12-01')).toBe(false);
  expect(isRequestLate('2026-11-01', '2026-12-02')).toBe(true);
});
