import { expect, test } from 'vitest';
import { dayOf } from '#shared/domain/day.ts';
import { financialYearOf, shortFinancialYearOf } from '#shared/domain/financial-year.ts';

test.each([
  ['2026-03-31', '2025-26'],
  ['2026-04-01', '2026-27'],
  ['2020-01-03', '2019-20'],
  ['2099-12-31', '2099-00'],
])('%s falls in %s', (day, year) => {
  expect(financialYearOf(day)).toBe(year);
});

test('the year changes at midnight in India, not in UTC', () => {
  expect(financialYearOf(dayOf(Date.parse('2026-03-31T18:29:59Z')))).toBe('2025-26');
  expect(financialYearOf(dayOf(Date.parse('2026-03-31T18:30:00Z')))).toBe('2026-27');
  expect(financialYearOf(dayOf(Date.parse('2026-03-31T19:00:00Z')))).toBe('2026-27');
});

test('the short form fits a document number', () => {
  expect(shortFinancialYearOf('2026-04-01')).toBe('26-27');
});
