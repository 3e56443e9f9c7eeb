import { expect, test } from 'vitest';
import { cycleUsageCsv, mayHaveUsage } from '#web/features/invoices/cycle-usage-csv.ts';

const row = {
  day: '2026-11-01',
  keyId: 'KEY-1',
  keyName: 'prod',
  answers: '2xx',
  counted: true,
  calls: 3,
  units: 30,
} as const;
const usage = {
  billingCycleId: 'CYC-1',
  activationId: 'ACT-1',
  invoiceId: 'INV/26-27/1',
  planName: 'Growth',
  fromDate: '2026-11-01',
  toDate: '2026-12-01',
  monthlyQuota: 20_000,
  counted: 3,
  free: 1,
  units: 30,
  rows: [row, { ...row, answers: '5xx', counted: false, calls: 1, units: 0, keyName: '=cmd()' } as const],
  asOf: '2026-11-30T06:00:00.000Z',
};

test('the file names cycle and invoice on every line, and no cell of it is a formula', () => {
  expect(cycleUsageCsv(usage)).toBe(
    [
      '\ufeffbilling_cycle,invoice,day,key_id,key,answers,counted,calls,units',
      'CYC-1,INV/26-27/1,2026-11-01,KEY-1,prod,2xx,yes,3,30',
      "CYC-1,INV/26-27/1,2026-11-01,KEY-1,'=cmd(),5xx,no,1,0",
      '',
    ].join('\r\n'),
  );
});

test.each([
  ['PAID', '2026-11-21', true],
  ['PAID', '2026-11-22', false],
  ['EXPIRED', '2026-01-01', true],
  ['NO_PAYMENT_REQUIRED', '2026-11-01', true],
  ['PAYMENT_PENDING', '2026-11-01', false],
  ['REMOVED', '2026-11-01', false],
] as const)('a cycle %s from %s may have usage: %s', (status, fromDate, expected) => {
  expect(mayHaveUsage({ status, fromDate }, '2026-11-21')).toBe(expected);
});
