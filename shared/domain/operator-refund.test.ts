import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredStatus } from '#shared/domain/cycle.ts';
import { largestPart, type RefundableCycle, refundShares, whyNotRefundable } from './operator-refund.ts';
import { cashLeftOf, leftAtProvider, leftOf } from './refund-payout.ts';

const cycle = fc
  .record({
    status: fc.constantFrom<StoredStatus>('PAID', 'DEACTIVATED', 'REFUNDED'),
    paidPaise: fc.integer({ min: 100, max: 10_000_000 }),
    backPercent: fc.integer({ min: 0, max: 100 }),
    deductedPercent: fc.integer({ min: 0, max: 10 }),
    isUnproved: fc.boolean(),
  })
  .map(({ status, paidPaise, backPercent, deductedPercent, isUnproved }) => {
    const deductedPaise = Math.floor((paidPaise * deductedPercent) / 100);
    const back = Math.floor((paidPaise * backPercent) / 100);
    const paid = { cycleId: '', status, paidPaise, givenBackPaise: back + deductedPaise, deductedPaise };
    if (!isUnproved) return paid;
    const reversedPaise = Math.ceil((back * deductedPaise) / paidPaise);
    return { ...paid, reversedPaise, unprovedPaise: deductedPaise - reversedPaise };
  });

const named = (cycles: RefundableCycle[]) => cycles.map((each, index) => ({ ...each, cycleId: `CYC-${index}` }));

test('whatever is asked, no cycle gives back more than is left, and it ends exactly when the provider has nothing left', () => {
  fc.assert(
    fc.property(
      fc.array(cycle, { maxLength: 12 }),
      fc.option(fc.integer({ min: -5, max: 12_000_000 }), { nil: undefined }),
      (made, asked) => {
        const cycles = named(made);
        const shares = refundShares(cycles, asked) ?? [];
        for (const share of shares) {
          const of = cycles.find(({ cycleId }) => cycleId === share.cycleId);
          if (!of) throw new Error('a share of no cycle');
          expect(share.amountPaise).toBeGreaterThan(0);
          expect(share.amountPaise).toBeLessThanOrEqual(leftOf(of));
          const cashPaise = share.amountPaise - share.withheldPaise;
          expect(cashPaise).toBeLessThanOrEqual(cashLeftOf(of));
          expect(share.endsCycle).toBe(of.status === 'PAID' && cashPaise >= leftAtProvider(of));
        }
        const total = shares.reduce((sum, { amountPaise, withheldPaise }) => sum + amountPaise - withheldPaise, 0);
        const left = cycles.reduce((sum, each) => sum + cashLeftOf(each), 0);
        expect([0, asked ?? left]).toContain(total);
        expect(asked !== undefined || total === left).toBe(true);
      },
    ),
  );
});

const one = { cycleId: 'CYC-1', status: 'PAID', paidPaise: 50_000, givenBackPaise: 20_000, deductedPaise: 0 } as const;

test('an amount is refunded of one cycle only, from ₹1 on, up to what is left', () => {
  expect(refundShares([one], 10_000)).toEqual([
    { cycleId: 'CYC-1', amountPaise: 10_000, withheldPaise: 0, endsCycle: false },
  ]);
  expect(refundShares([one], 30_000)).toEqual([
    { cycleId: 'CYC-1', amountPaise: 30_000, withheldPaise: 0, endsCycle: true },
  ]);
  for (const asked of [30_001, 99, 0, -100, 100.5]) expect(refundShares([one], asked)).toBeUndefined();
  expect(refundShares([one, { ...one, cycleId: 'CYC-2' }], 10_000)).toBeUndefined();
});

test('a part leaves nothing that could not be refunded later: it leaves ₹1 or more', () => {
  expect(refundShares([one], 29_900)).toHaveLength(1);
  for (const asked of [29_901, 29_950, 29_999]) expect(refundShares([one], asked)).toBeUndefined();
  expect(largestPart(30_000)).toBe(29_900);
  expect(largestPart(200)).toBe(100);
  // No part of so little leaves ₹1, so only all of it goes back; below ₹1 by bank transfer.
  expect(largestPart(199)).toBeUndefined();
  for (const left of [199, 100, 50]) {
    const few = { ...one, givenBackPaise: one.paidPaise - left };
    expect(refundShares([few], left)).toEqual([
      { cycleId: 'CYC-1', amountPaise: left, withheldPaise: 0, endsCycle: true },
    ]);
    expect(refundShares([few], left - 1)).toBeUndefined();
  }
});

test('of a price less tax an amount is what the customer gets: the tax goes with it in proportion, and all that came ends the plan with all of it', () => {
  const less = {
    cycleId: 'CYC-1',
    status: 'PAID',
    paidPaise: 149_900,
    givenBackPaise: 12_700,
    deductedPaise: 12_700,
    unprovedPaise: 12_700,
  } as const;
  const half = { cycleId: 'CYC-1', amountPaise: 74_950, withheldPaise: 6_350, endsCycle: false };
  expect(refundShares([less], 68_600)).toEqual([half]);
  const all = { cycleId: 'CYC-1', amountPaise: 149_900, withheldPaise: 12_700, endsCycle: true };
  expect(refundShares([less], 137_200)).toEqual([all]);
  expect(refundShares([less])).toEqual([all]);
  // The rest is at least ₹1 in cash, too.
  for (const asked of [137_101, 137_150, 137_201, 149_900]) expect(refundShares([less], asked)).toBeUndefined();
  expect(whyNotRefundable([less])).toContain('Between ₹1 and ₹1,371 can be refunded, or all of ₹1,372');
});
