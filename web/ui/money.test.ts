import { expect, test } from 'vitest';
import { moneyText, priceText } from '#web/ui/money-text.ts';

test('rupees are grouped the Indian way, with paise only when there are any', () => {
  expect(moneyText(1499)).toBe('₹1,499');
  expect(moneyText(100_000)).toBe('₹1,00,000');
  expect(moneyText(1270.34)).toBe('₹1,270.34');
  expect(moneyText(0)).toBe('₹0');
});

test('a plan that costs nothing is FREE', () => {
  expect(priceText(0)).toBe('FREE');
  expect(priceText(499)).toBe('₹499');
});
