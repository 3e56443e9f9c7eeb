import { expect, test } from 'vitest';
import { addDays } from '#shared/domain/day.ts';
import { deadlineAlert, deadlineText, reportBy, waysOut } from '#shared/domain/e-invoice-deadline.ts';

test('a document can be registered for 30 days from its date', () => {
  expect(reportBy('2027-03-31')).toBe('2027-04-30');
  expect(reportBy('2028-02-01')).toBe('2028-03-02');
});

test('the operator is alerted on fixed days before the last one, and every day after it', () => {
  const days = Array.from({ length: 34 }, (_, index) => addDays('2027-03-01', index));
  expect(days.flatMap((day) => deadlineAlert('2027-03-01', day)?.daysLeft ?? [])).toEqual([
    20, 10, 5, 2, 1, 0, -1, -2, -3,
  ]);
});

test('the days to the last one are counted forwards, and those since it backwards', () => {
  expect([20, 1, 0, -1, -417].map((days) => deadlineText('2027-01-10', days))).toEqual([
    'to be registered by 2027-01-10 (20 days)',
    'to be registered by 2027-01-10 (1 day)',
    'to be registered by 2027-01-10 (0 days)',
    'was to be registered by 2027-01-10 (1 day ago)',
    'was to be registered by 2027-01-10 (417 days ago)',
  ]);
});

test('a refusal of the buyer’s GSTIN leads to a corrected invoice first, any other to a retry', () => {
  for (const code of ['3029', '3074', '3076'])
    expect(waysOut('refused', 'OCT/1', code)[0]).toContain('credit note and a new invoice');
  expect(waysOut('refused', 'OCT/1', '2172')[0]).toContain('octroi e-invoices retry OCT/1');
  expect(waysOut('overdue', 'OCT/1', null).join()).not.toContain('retry');
});
