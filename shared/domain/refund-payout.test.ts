import { expect, test } from 'vitest';
import fc from 'fast-check';
import { addDays } from '#shared/domain/day.ts';
import {
  cashLeftOf,
  lastRefundDay,
  leastRefundPaise,
  leftAtProvider,
  leftOf,
  payoutOf,
  readUtr,
  refundOfUnused,
  withheldOfRefund,
} from '#shared/domain/refund-payout.ts';

const capturedOn = '2026-11-23';

test('a payment can be refunded for the shortest six months', () => {
  expect(lastRefundDay(capturedOn)).toBe('2027-05-22');
});

test('the provider pays out exactly what is at least a rupee and it still has, of a payment of the last six months', () => {
  const amount = fc.integer({ min: 1, max: 300 });
  fc.assert(
    fc.property(amount, amount, fc.integer({ min: 0, max: 400 }), (amountPaise, leftPaise, days) => {
      const today = addDays(capturedOn, days);
      const isPayable = amountPaise >= leastRefundPaise && amountPaise <= leftPaise && days <= 180;
      const refund = { amountPaise, leftPaise, capturedOn, today };
      expect(payoutOf({ ...refund, isOwnTransfer: false })).toBe(isPayable ? 'PROVIDER' : 'TRANSFER');
      expect(payoutOf({ ...refund, isOwnTransfer: true })).toBe('TRANSFER');
    }),
  );
});

test('tax deducted at source is a part of the price that can be refunded, and the provider has it no more', () => {
  const paid = { paidPaise: 295_000, givenBackPaise: 25_000, deductedPaise: 25_000 };
  expect([leftOf(paid), leftAtProvider(paid)]).toEqual([295_000, 270_000]);
  // 29 of 30 days are unused.
  const ended = { ...paid, givenBackPaise: 25_000 + 285_167 };
  expect([leftOf(ended), leftAtProvider(ended)]).toEqual([9_833, 0]);
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

test('refunds of a price are cash up to what came, in whatever parts, and the tax that nobody proved after that', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), parts, (unprovedPaise, amounts) => {
      const paid = { paidPaise: 1000, givenBackPaise: unprovedPaise, deductedPaise: unprovedPaise, unprovedPaise };
      let cashPaise = 0;
      for (const asked of amounts) {
        const amountPaise = Math.min(asked, leftOf(paid));
        const withheld = withheldOfRefund(paid, amountPaise);
        cashPaise += amountPaise - withheld;
        paid.givenBackPaise += amountPaise;
        paid.unprovedPaise -= withheld;
        expect(paid.unprovedPaise).toBeGreaterThanOrEqual(0);
        expect(cashPaise + cashLeftOf(paid)).toBe(1000 - unprovedPaise);
      }
    }),
  );
});
