import { expect, test } from 'vitest';
import { readBookPeriod } from '#shared/domain/book-period.ts';

test.each([
  ['2026-10', '2026-10-01', '2026-10-31', false],
  ['2026-12', '2026-12-01', '2026-12-31', false],
  ['2026-27', '2026-04-01', '2027-03-31', true],
  ['2099-00', '2099-04-01', '2100-03-31', true],
])('%s is from %s to %s', (text, from, to, isYear) => {
  expect(readBookPeriod(text)).toEqual({ name: text, from, to, isYear });
});

test.each(['2026-13', '2026-28', '2026', '26-27', ''])('%s is neither a month nor a financial year', (text) => {
  expect(() => readBookPeriod(text)).toThrow('is not a month');
});
