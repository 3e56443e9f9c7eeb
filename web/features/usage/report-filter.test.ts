import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isReportSpan, readReportFilter, reportSpans, writeReportFilter } from '#web/features/usage/report-filter.ts';

const today = '2026-11-21';

test('an address without words shows the last 30 days, day by day and product by product', () => {
  expect(readReportFilter(new URLSearchParams(), today)).toEqual({
    span: '30',
    from: '2026-10-23',
    to: today,
    per: 'day',
    by: 'product',
    activationId: null,
  });
});

test('an invalid value is ignored', () => {
  const search = new URLSearchParams('span=31&per=week&by=day&from=2026-02-30');
  expect(readReportFilter(search, today)).toEqual(readReportFilter(new URLSearchParams(), today));
});

test('whatever is chosen comes back from the address', () => {
  const days = fc.constantFrom('2025-12-01', '2026-02-28', '2026-11-21');
  const filters = fc.record({
    span: fc.constantFrom(...reportSpans),
    from: days,
    to: days,
    per: fc.constantFrom('day' as const, 'month' as const),
    by: fc.constantFrom('product' as const, 'key' as const),
    activationId: fc.constantFrom(null, 'ACT-7K2M9QX4', 'a&b=c'),
  });
  fc.assert(
    fc.property(filters, fc.constantFrom('product' as const, 'key' as const), (filter, by) => {
      const read = readReportFilter(new URLSearchParams(writeReportFilter(filter, { by }).toString()), today, { by });
      expect(read).toEqual(filter.span === 'own' ? filter : { ...filter, from: read.from, to: today });
    }),
  );
});

test('a report covers 366 days and no more, and does not end before it begins', () => {
  expect(isReportSpan({ from: '2025-11-21', to: '2026-11-21' })).toBe(true);
  expect(isReportSpan({ from: '2025-11-20', to: '2026-11-21' })).toBe(false);
  expect(isReportSpan({ from: '2026-11-22', to: '2026-11-21' })).toBe(false);
});
