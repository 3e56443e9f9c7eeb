import { expect, test } from 'vitest';
import type { UsageReport } from '#shared/contract/usage.ts';
import { readReportFilter } from '#web/features/usage/report-filter.ts';
import { chartSeries, isInUnits, viewOf } from '#web/features/usage/report-series.ts';

type Row = UsageReport['rows'][number];

function row(day: string, activationId: string, keyName: string, counted: number, free = 0): Row {
  const service = { activationId, serviceName: `Service ${activationId}` };
  return { day, ...service, keyId: `KEY-${keyName}`, keyName, counted, free, units: counted };
}

const report: UsageReport = {
  from: '2026-10-30',
  to: '2026-11-02',
  asOf: '2026-11-02T06:00:00.000Z',
  rows: [
    row('2026-10-31', 'A', 'prod', 80, 2),
    row('2026-11-01', 'A', 'prod', 30),
    row('2026-11-01', 'A', 'test', 49),
    row('2026-11-01', 'B', 'erp', 5),
  ],
  activations: [
    { activationId: 'A', serviceName: 'Service A', dailyQuota: 100, deleted: false },
    { activationId: 'B', serviceName: 'Service B', dailyQuota: null, deleted: true },
  ],
};
const usual = readReportFilter(new URLSearchParams(), report.to);

test('every day of the range is included, even without calls, with the products side by side', () => {
  const view = viewOf(report, usual);
  expect(view.points.map(({ day, total }) => [day, total])).toEqual([
    ['2026-10-30', 0],
    ['2026-10-31', 80],
    ['2026-11-01', 84],
    ['2026-11-02', 0],
  ]);
  expect(view.points[2]?.byLine).toEqual({ A: 79, B: 5 });
  expect(view).toMatchObject({ counted: 164, free: 2, days: 4, units: 164, highest: { day: '2026-11-01', units: 84 } });
});

test('months are the sums of their days', () => {
  const { points } = viewOf(report, { ...usual, per: 'month' });
  expect(points.map(({ day, total }) => [day, total])).toEqual([
    ['2026-10-01', 80],
    ['2026-11-01', 84],
  ]);
});

test('keys are listed separately, the busiest first, with the quota of their plan', () => {
  const { lines } = viewOf(report, { ...usual, by: 'key', activationId: 'A' });
  expect(lines.map(({ keyName, counted, highest, dailyQuota }) => [keyName, counted, highest, dailyQuota])).toEqual([
    ['prod', 110, 80, 100],
    ['test', 49, 49, 100],
  ]);
});

test('a day is tight from 80 % of the quota on, which all keys use up together', () => {
  expect(viewOf(report, usual).tightDays).toBe(1);
  expect(viewOf({ ...report, rows: [row('2026-11-01', 'A', 'prod', 79)] }, usual).tightDays).toBe(0);
  expect(viewOf(report, { ...usual, activationId: 'B' }).tightDays).toBeNull();
});

test('a chart shows the largest lines, and the others as one', () => {
  const { lines } = viewOf(report, { ...usual, by: 'key' });
  expect(chartSeries(lines, 3).map(({ ids }) => ids)).toEqual([['KEY-prod'], ['KEY-test'], ['KEY-erp']]);
  expect(chartSeries(lines, 2).map(({ ids, name }) => [ids, name?.keyName])).toEqual([
    [['KEY-prod'], 'prod'],
    [['KEY-test', 'KEY-erp'], undefined],
  ]);
});

test('where calls cost other than one unit, the chart, the busiest day and tight days are in units, beside the number of calls', () => {
  const dear = [
    { ...row('2026-10-31', 'A', 'prod', 9), units: 90 },
    { ...row('2026-11-01', 'A', 'prod', 50), units: 50 },
  ];
  const view = viewOf({ ...report, rows: dear }, usual);
  expect(isInUnits(view)).toBe(true);
  expect(view).toMatchObject({ counted: 59, units: 140, highest: { day: '2026-10-31', units: 90 }, tightDays: 1 });
  expect(view.points.map(({ total }) => total)).toEqual([0, 90, 50, 0]);
  expect(view.lines).toMatchObject([{ counted: 59, units: 140, highest: 90 }]);
  expect(isInUnits(viewOf(report, usual))).toBe(false);
});
