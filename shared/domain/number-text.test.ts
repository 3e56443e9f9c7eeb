import { expect, test } from 'vitest';
import { formatAmount, formatNumber, formatPercent, formatTick } from '#shared/domain/number-text.ts';

test('numbers are grouped as in India', () => {
  expect(formatNumber(1_234_567)).toBe('12,34,567');
  expect(formatAmount(100_000.5)).toBe('1,00,000.50');
});

test('each kind of number has its decimals', () => {
  expect(formatNumber(2.1256)).toBe('2.126');
  expect(formatTick(0.25)).toBe('0.3');
  expect(formatPercent(0.424)).toBe('42%');
  expect(formatAmount(7)).toBe('7.00');
});
