import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excessOfAdvance, totalOfReplacement } from '#shared/domain/advance.ts';
import { priceOf } from '#shared/domain/price.ts';

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

const sale = fc.record({
  pricePaise: fc.integer({ min: 100, max: 1_000_000_000 }),
  gstRateBasisPoints: fc.constantFrom(25, 300, 500, 1200, 1800, 2800, 4000),
  share: fc.double({ min: 0.01, max: 1, noNaN: true }),
});

test('for any exclusive price, an invoice that loses its tax is over the price alone, and can’t get the tax back', () => {
  fc.assert(
    fc.property(sale, ({ pricePaise, gstRateBasisPoints, share }) => {
      const plan = { pricePaise, tax: 'exclusive' as const };
      const paid = priceOf({ ...plan, gstRateBasisPoints }, false).totalPaise;
      const held = Math.max(1, Math.round(paid * share));
      const taxed = { plan, paidPaise: paid, gstRateBasisPoints, wasZeroRated: false, zeroRated: true };
      expect(totalOfReplacement({ ...taxed, heldPaise: paid })).toBe(pricePaise);
      // Of an invoice over a part, the same share.
      const part = totalOfReplacement({ ...taxed, heldPaise: held });
      expect(Math.abs((part ?? -1) - (held * pricePaise) / paid)).toBeLessThan(1);
      const back = { plan, gstRateBasisPoints, wasZeroRated: true, zeroRated: false, heldPaise: pricePaise };
      const isFree = paid === pricePaise;
      expect(totalOfReplacement({ ...back, paidPaise: pricePaise })).toBe(isFree ? pricePaise : undefined);
    }),
  );
});

test('for any price, an invoice that stays taxed, stays untaxed, or is over a price that includes tax keeps its total', () => {
  fc.assert(
    fc.property(sale, fc.boolean(), fc.boolean(), ({ pricePaise, gstRateBasisPoints }, was, is) => {
      const about = { paidPaise: pricePaise, heldPaise: pricePaise, gstRateBasisPoints, wasZeroRated: was };
      const inclusive = { pricePaise, tax: 'inclusive' as const };
      expect(totalOfReplacement({ ...about, plan: inclusive, zeroRated: is })).toBe(pricePaise);
      expect(totalOfReplacement({ ...about, plan: { ...inclusive, tax: 'exclusive' }, zeroRated: was })).toBe(
        pricePaise,
      );
    }),
  );
});
