import { expect, test } from 'vitest';
import { reportCsv } from '#web/features/usage/report-csv.ts';
import { readReportFilter } from '#web/features/usage/report-filter.ts';

const row = { activationId: 'A', serviceName: '=cmd()', keyId: 'KEY-1', keyName: 'prod', free: 0, units: 20 };
const report = {
  from: '2026-10-01',
  to: '2026-11-30',
  asOf: '2026-11-30T06:00:00.000Z',
  rows: [
    { ...row, day: '2026-11-01', counted: 3, free: 1 },
    { ...row, day: '2026-11-02', counted: 4 },
    { ...row, day: '2026-11-02', counted: 9, activationId: 'B', keyId: 'KEY-2' },
  ],
  activations: [],
};
const filter = { ...readReportFilter(new URLSearchParams(), report.to), activationId: 'A' };

test('the file has the shown days, and no cell of it is a formula', () => {
  expect(reportCsv(report, filter)).toBe(
    "\ufeffday,activation,service,key,counted,not_counted,units\r\n2026-11-01,A,'=cmd(),prod,3,1,20\r\n2026-11-02,A,'=cmd(),prod,4,0,20\r\n",
  );
});

test('months are summed', () => {
  expect(reportCsv(report, { ...filter, per: 'month' })).toBe(
    "\ufeffmonth,activation,service,key,counted,not_counted,units\r\n2026-11,A,'=cmd(),prod,7,1,40\r\n",
  );
});
