import fc from 'fast-check';
import { expect, test } from 'vitest';
import { priceOf } from '#shared/domain/price.ts';

test('an inclusive price is the total, and its parts add up to it', () => {
  expect(priceOf({ pricePaise: 149_900, tax: 'inclusive', gstRateBasisPoints: 1800 }, false)).toEqual({
    totalPaise: 149_900,
    taxablePaise: 127_034,
    gstPaise: 22_866,
  });
});

test('GST is added to an exclusive price', () => {
  expect(priceOf({ pricePaise: 99_900, tax: 'exclusive', gstRateBasisPoints: 1800 }, false)).toEqual({
    totalPaise: 117_882,
    taxablePaise: 99_900,
    gstPaise: 17_982,
  });
});

test('for any price, taxable value and GST add up to the total', () => {
  fc.assert(
    fc.property(
      fc.nat(1e9),
      fc.constantFrom('inclusive' as const, 'exclusive' as const),
      fc.constantFrom(0, 25, 500, 1800, 4000),
      fc.boolean(),
      (pricePaise, tax, gstRateBasisPoints, zeroRated) => {
        const price = priceOf({ pricePaise, tax, gstRateBasisPoints }, zeroRated);
        expect(price.taxablePaise + price.gstPaise).toBe(price.totalPaise);
        expect(tax === 'inclusive' ? price.totalPaise : price.taxablePaise).toBe(pricePaise);
        expect(zeroRated && price.gstPaise !== 0).toBe(false);
      },
    ),
  );
});
