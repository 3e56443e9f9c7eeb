import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excessOfAdvance } from '#domain/advance.ts';
import { priceOf } from '#domain/price.ts';

const exclusive = { pricePaise: 149_900, tax: 'exclusive' as const };
const paidPaise = 176_882;
const whole = { plan: exclusive, paidPaise, heldPaise: paidPaise, gstRateBasisPoints: 500, zeroRated: false };

test('an exclusive price gives back the difference between the tax at payment and the tax due', () => {
  expect(excessOfAdvance(whole)).toBe(176_882 - 157_395);
  expect(excessOfAdvance({ ...whole, zeroRated: true })).toBe(176_882 - 149_900);
});

test('nothing goes back at the same or a higher rate, or of a price that includes tax', () => {
  expect(excessOfAdvance({ ...whole, gstRateBasisPoints: 1800 })).toBe(0);
  expect(excessOfAdvance({ ...whole, gstRateBasisPoints: 4000 })).toBe(0);
  expect(excessOfAdvance({ ...whole, plan: { ...exclusive, tax: 'inclusive' } })).toBe(0);
});

const rate = fc.constantFrom(0, 25, 300, 500, 1200, 1800, 2800, 4000);

test('whatever was paid and refunded before, what is kept is never above the price due and never negative', () => {
  fc.assert(
    fc.property(
      fc.record({
        pricePaise: fc.integer({ min: 100, max: 1_000_000_000 }),
        paidAt: rate,
        dueAt: rate,
        zero: fc.boolean(),
      }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      ({ pricePaise, paidAt, dueAt, zero }, share) => {
        const plan = { pricePaise, tax: 'exclusive' as const };
        const paid = priceOf({ ...plan, gstRateBasisPoints: paidAt }, false).totalPaise;
        const due = priceOf({ ...plan, gstRateBasisPoints: dueAt }, zero).totalPaise;
        const about = { plan, paidPaise: paid, gstRateBasisPoints: dueAt, zeroRated: zero };
        expect(paid - excessOfAdvance({ ...about, heldPaise: paid })).toBe(Math.min(paid, due));
        const heldPaise = Math.round(paid * share);
        const excess = excessOfAdvance({ ...about, heldPaise });
        expect(excess).toBeGreaterThanOrEqual(0);
        expect(excess).toBeLessThanOrEqual(heldPaise);
        // The same share of the rest, to the paisa.
        expect(Math.abs((heldPaise - excess) * paid - heldPaise * Math.min(paid, due))).toBeLessThan(paid);
      },
    ),
  );
});
