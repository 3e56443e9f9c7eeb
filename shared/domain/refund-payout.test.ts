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
  withheldBesideCash,
  withheldOfGst,
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
      const payout = isPayable ? 'PROVIDER' : 'TRANSFER';
      expect(payoutOf({ ...refund, isOwnTransfer: false })).toEqual({ payout, offsetPaise: 0 });
      expect(payoutOf({ ...refund, isOwnTransfer: true })).toEqual({ payout: 'TRANSFER', offsetPaise: 0 });
    }),
  );
});

test('of what was sold on credit terms first what is due is lowered, and only the rest is transferred', () => {
  const refund = { leftPaise: 0, capturedOn, today: capturedOn, isOwnTransfer: true };
  const paise = fc.integer({ min: 1, max: 1_000_000 });
  fc.assert(
    fc.property(paise, paise, (amountPaise, duePaise) => {
      const { payout, offsetPaise } = payoutOf({ ...refund, amountPaise, duePaise });
      expect(offsetPaise).toBe(Math.min(amountPaise, duePaise));
      expect(payout).toBe(amountPaise <= duePaise ? 'OFFSET' : 'TRANSFER');
    }),
  );
});

test('tax deducted at source is a part of the price that can be refunded, and the provider has it no more', () => {
  const paid = { paidPaise: 295_000, givenBackPaise: 25_000, deductedPaise: 25_000 };
  expect([leftOf(paid), leftAtProvider(paid)]).toEqual([295_000, 270_000]);
  // 29 of 30 days are unused.
  const ended = { ...paid, givenBackPaise: 25_000 + 285_167 };
  expect([leftOf(ended), leftAtProvider(ended)]).toEqual([9_833, 0]);
  // Withheld from the transfer, and a half of the price went back with as much of the tax.
  const half = { ...paid, givenBackPaise: 25_000 + 147_500, unprovedPaise: 12_500, reversedPaise: 12_500 };
  expect([leftOf(half), cashLeftOf(half), leftAtProvider(half)]).toEqual([147_500, 135_000, 135_000]);
});

test('unused days are refunded to the paisa, from ₹1 on; what is less is not promised', () => {
  const paid = { paidPaise: 149_900, givenBackPaise: 0, deductedPaise: 0 };
  const refunded = [0, 1, 99, 100, 101, 149_900].map((paise) => refundOfUnused(paid, paise));
  expect(refunded).toEqual([0, 0, 0, 100, 101, 149_900]);
  const less = { ...paid, givenBackPaise: 12_700, deductedPaise: 12_700, unprovedPaise: 12_700 };
  expect([100, 109, 110].map((paise) => refundOfUnused(less, paise))).toEqual([0, 0, 110]);
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

test('of each part of a price as much is cash as of the whole, however it is parted, and all that came goes back with all of it', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), parts, fc.boolean(), (taxPaise, amounts, isCash) => {
      const paid = { paidPaise: 1000, givenBackPaise: taxPaise, deductedPaise: taxPaise, unprovedPaise: taxPaise };
      const proportion = (backPaise: number) => (backPaise * (1000 - taxPaise)) / 1000;
      let cash = 0;
      const give = (amountPaise: number) => {
        const withheld = withheldOfRefund(paid, amountPaise);
        cash += amountPaise - withheld;
        paid.givenBackPaise += amountPaise;
        paid.unprovedPaise -= withheld;
      };
      for (const [done, asked] of amounts.entries()) {
        const cashPaise = Math.min(asked, cashLeftOf(paid));
        const tax = withheldBesideCash(paid, cashPaise);
        // Whether the price is named or the cash, it is the same refund.
        expect(isCash ? withheldOfRefund(paid, cashPaise + tax) : tax).toBe(tax);
        give(isCash ? cashPaise + tax : Math.min(asked, leftOf(paid)));
        const back = paid.givenBackPaise - taxPaise;
        expect(cash).toBeLessThanOrEqual(proportion(back));
        // A part of a paisa is tax, each time.
        expect(cash).toBeGreaterThan(proportion(back) - done - 1);
        expect(cash + cashLeftOf(paid)).toBe(1000 - taxPaise);
      }
      give(leftOf(paid));
      expect(cash).toBe(1000 - taxPaise);
    }),
  );
});

test('of the largest prices the tax is exact to the paisa', () => {
  const paid = { paidPaise: 1e12, givenBackPaise: 1e11, deductedPaise: 1e11, unprovedPaise: 1e11 };
  expect(withheldOfRefund(paid, 999_999_999_999)).toBe(1e11);
  expect(withheldOfRefund(paid, 999_999_999_990)).toBe(99_999_999_999);
});

test('GST that was not due is all cash, since tax is deducted from the value without it', () => {
  const paid = { paidPaise: 1000, givenBackPaise: 85, deductedPaise: 85, unprovedPaise: 85 };
  expect([withheldOfGst(paid, 153), withheldOfGst(paid, 915), withheldOfGst(paid, 916)]).toEqual([0, 0, 1]);
});
