import { expect, test } from 'vitest';
import fc from 'fast-check';
import { addDays } from '#domain/day.ts';
import { lastRefundDay, leastRefundPaise, payoutOf, readUtr, refundOfUnused } from '#domain/refund-payout.ts';

const capturedOn = '2026-11-23';

test('a payment can be refunded for the shortest six months', () => {
  expect(lastRefundDay(capturedOn)).toBe('2027-05-22');
});

test('the provider pays out exactly what is at least a rupee, of a payment of the last six months', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 400 }), (amountPaise, days) => {
      const today = addDays(capturedOn, days);
      const isPayable = amountPaise >= leastRefundPaise && days <= 180;
      expect(payoutOf({ amountPaise, capturedOn, today })).toBe(isPayable ? 'PROVIDER' : 'TRANSFER');
    }),
  );
});

test('unused days are refunded to the paisa, from ₹1 on; what is less is not promised', () => {
  expect([0, 1, 99, 100, 101, 149_900].map(refundOfUnused)).toEqual([0, 0, 0, 100, 101, 149_900]);
});

test.each([
  [' sbin 3260 1512 3456 ', 'SBIN326015123456'],
  ['432112345678', '432112345678'],
  ['HDFCR52026112312345678', 'HDFCR52026112312345678'],
  ['12345', undefined],
  ['', undefined],
  ['SBIN/326', undefined],
])('the number of a transfer %j is read as %j', (text, utr) => {
  expect(readUtr(text)).toBe(utr);
});
