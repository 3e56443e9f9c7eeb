import { expect, test } from 'vitest';
import { addDays } from '#shared/domain/day.ts';
import { proofDueOn, remittanceAlert, taxDueOn } from '#shared/domain/remittance.ts';

test.each([
  ['2026-11-23', '2027-11-23', '2027-12-08'],
  ['2027-03-31', '2028-03-31', '2028-04-15'],
  ['2028-02-29', '2029-02-28', '2029-03-15'],
] as const)('an export invoiced on %s must be paid by %s, or its tax is due by %s', (day, proof, tax) => {
  expect([proofDueOn(day), taxDueOn(day)]).toEqual([proof, tax]);
});

test('the operator is alerted on fixed days before the year ends, and every day after it', () => {
  const days = Array.from({ length: 369 }, (_, index) => addDays('2026-11-23', index));
  expect(days.flatMap((day) => remittanceAlert('2026-11-23', day)?.daysLeft ?? [])).toEqual([
    90, 60, 30, 15, 7, 3, 1, 0, -1, -2, -3,
  ]);
});
