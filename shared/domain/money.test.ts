import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMoney, formatRupees, rupees, share, toPaise } from '#shared/domain/money.ts';

test('rupees on the wire and paise inside convert both ways without loss', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (paise) => {
      expect(toPaise(rupees(paise))).toBe(paise);
    }),
  );
});

test.each([
  [1499, 149_900],
  [0.05, 5],
  [1178.82, 117_882],
  [8.2, 820],
])('%d rupees are %d paise', (amount, paise) => {
  expect(toPaise(amount)).toBe(paise);
});

test.each([0.001, Number.NaN, Infinity, 1e15])('%d rupees are refused', (amount) => {
  expect(() => toPaise(amount)).toThrow(RangeError);
});

test('a fraction of a paisa is refused everywhere', () => {
  expect(() => rupees(0.5)).toThrow(RangeError);
  expect(() => formatRupees(0.5)).toThrow(RangeError);
});

test.each([
  [149_900, '₹1,499'],
  [10_000_050, '₹1,00,000.50'],
  [5, '₹0.05'],
  [0, '₹0'],
])('%d paise are shown as %s', (paise, shown) => {
  expect(formatRupees(paise)).toBe(shown);
});

test.each([
  [149_900, 'INR', '₹1,499'],
  [1499, 'USD', '$14.99'],
  [1499, 'JPY', 'JP¥1,499'],
  [1_499_000, 'KWD', 'KWD\u00a01,499.000'],
])('%d of the smallest unit of %s are shown as %s', (amount, currency, shown) => {
  expect(formatMoney(amount, currency)).toBe(shown);
});

test('a share of an amount is rounded half up, and the whole share is the amount', () => {
  expect(share(149_900, 12, 30)).toBe(59_960);
  expect(share(1, 1, 2)).toBe(1);
  fc.assert(
    fc.property(fc.nat(1e10), fc.nat(365), (paise, part) => {
      expect(share(paise, 365, 365)).toBe(paise);
      expect(Math.abs(share(paise, part, 365) - (paise * part) / 365)).toBeLessThanOrEqual(0.5);
    }),
  );
});
