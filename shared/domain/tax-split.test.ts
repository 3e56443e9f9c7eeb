import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  splitExclusive,
  splitInclusive,
  splitOfReturn,
  type TaxKind,
  type TaxSplit,
} from '#shared/domain/tax-split.ts';

/** taxable, CGST, SGST, IGST, round-off, total in paise. */
type Row = [amount: number, rate: number, kind: TaxKind, number, number, number, number, number, number];

const exclusive: Row[] = [
  [99_900, 1800, 'CGST_SGST', 99_900, 8_991, 8_991, 0, 0, 117_882],
  [99_900, 1800, 'IGST', 99_900, 0, 0, 17_982, 0, 117_882],
  [999_900, 1800, 'CGST_SGST', 999_900, 89_991, 89_991, 0, 0, 1_179_882],
  [5, 1800, 'CGST_SGST', 5, 0, 0, 0, 0, 5],
  [5, 1800, 'IGST', 5, 0, 0, 1, 0, 6],
  [103, 500, 'CGST_SGST', 103, 3, 3, 0, 0, 109],
  [33_333, 1800, 'CGST_SGST', 33_333, 3_000, 3_000, 0, 0, 39_333],
  [33_333, 1800, 'IGST', 33_333, 0, 0, 6_000, 0, 39_333],
  [10_000, 25, 'CGST_SGST', 10_000, 13, 13, 0, 0, 10_026],
  [10_000, 300, 'IGST', 10_000, 0, 0, 300, 0, 10_300],
  [10_000, 4000, 'CGST_SGST', 10_000, 2_000, 2_000, 0, 0, 14_000],
  [10_000, 1800, 'NONE', 10_000, 0, 0, 0, 0, 10_000],
];

const inclusive: Row[] = [
  [99_900, 1800, 'CGST_SGST', 84_661, 7_619, 7_619, 0, 1, 99_900],
  [99_900, 1800, 'IGST', 84_661, 0, 0, 15_239, 0, 99_900],
  [100, 1800, 'CGST_SGST', 85, 8, 8, 0, -1, 100],
  [99_900, 1800, 'NONE', 99_900, 0, 0, 0, 0, 99_900],
];

test.each(exclusive)(
  '%d paise at %d basis points, %s, tax on top',
  (amount, rate, kind, taxable, cgst, sgst, igst, off, total) => {
    expect(splitExclusive(amount, rate, kind)).toEqual({
      taxablePaise: taxable,
      cgstPaise: cgst,
      sgstPaise: sgst,
      utgstPaise: 0,
      igstPaise: igst,
      taxPaise: cgst + sgst + igst,
      roundOffPaise: off,
      totalPaise: total,
    });
  },
);

test.each(inclusive)(
  '%d paise at %d basis points, %s, tax inside',
  (amount, rate, kind, taxable, cgst, sgst, igst, off, total) => {
    expect(splitInclusive(amount, rate, kind)).toEqual({
      taxablePaise: taxable,
      cgstPaise: cgst,
      sgstPaise: sgst,
      utgstPaise: 0,
      igstPaise: igst,
      taxPaise: cgst + sgst + igst,
      roundOffPaise: off,
      totalPaise: total,
    });
  },
);

const amount = fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.integer({ min: 0, max: 1_000_000_000_000_000 }));
const rate = fc.constantFrom(0, 25, 150, 300, 500, 1200, 1800, 2800, 4000);
const kind = fc.constantFrom<TaxKind>('CGST_SGST', 'CGST_UTGST', 'IGST', 'NONE');

test('the parts always add up to the total, and none is negative', () => {
  fc.assert(
    fc.property(amount, rate, kind, fc.constantFrom(splitExclusive, splitInclusive), (paise, rate, kind, split) => {
      const parts = split(paise, rate, kind);
      const { taxablePaise, cgstPaise, sgstPaise, utgstPaise, igstPaise, taxPaise, roundOffPaise, totalPaise } = parts;
      expect(cgstPaise + sgstPaise + utgstPaise + igstPaise).toBe(taxPaise);
      expect(taxablePaise + taxPaise + roundOffPaise).toBe(totalPaise);
      for (const part of [taxablePaise, cgstPaise, sgstPaise, utgstPaise, igstPaise])
        expect(part).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('a tax-inclusive price is charged to the paisa, with a round-off of at most one paisa', () => {
  fc.assert(
    fc.property(amount, rate, kind, (paise, rate, kind) => {
      const parts = splitInclusive(paise, rate, kind);
      expect(parts.totalPaise).toBe(paise);
      expect(Math.abs(parts.roundOffPaise)).toBeLessThanOrEqual(1);
    }),
  );
});

test('CGST and SGST are equal, and each within half a paisa of half the rate', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), rate, (paise, rate) => {
      const state = splitExclusive(paise, rate, 'CGST_SGST');
      const territory = splitExclusive(paise, rate, 'CGST_UTGST');
      expect(state.sgstPaise).toBe(state.cgstPaise);
      expect(territory.utgstPaise).toBe(territory.cgstPaise);
      expect(territory.sgstPaise).toBe(0);
      // 2 x 20000 x half lies within 20000 of 2 x paise x rate: exact in whole numbers.
      expect(Math.abs(40_000 * state.cgstPaise - 2 * paise * rate)).toBeLessThanOrEqual(20_000);
    }),
  );
});

test('a higher amount never has less tax', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), rate, kind, (paise, rate, kind) => {
      const less = splitExclusive(paise, rate, kind).taxPaise;
      expect(splitExclusive(paise + 1, rate, kind).taxPaise).toBeGreaterThanOrEqual(less);
    }),
  );
});

test.each([-1, 0.5, Number.NaN, Infinity, 1e17])('%d paise is refused', (paise) => {
  expect(() => splitExclusive(paise, 1800, 'IGST')).toThrow(RangeError);
  expect(() => splitInclusive(paise, 1800, 'IGST')).toThrow(RangeError);
});

test('a rate that is not a whole number of basis points up to 100 % is refused', () => {
  expect(() => splitExclusive(100, 12.5, 'IGST')).toThrow(RangeError);
  expect(() => splitExclusive(100, -1, 'IGST')).toThrow(RangeError);
  expect(() => splitExclusive(100, 10_001, 'IGST')).toThrow(RangeError);
});

const sum = (name: keyof TaxSplit, of: readonly TaxSplit[]): number => of.reduce((all, part) => all + part[name], 0);

test('parts that are returned one after the other never differ from the whole, to the paisa of each tax', () => {
  const kind = fc.constantFrom<TaxKind>('CGST_SGST', 'CGST_UTGST', 'IGST', 'NONE');
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000_000 }),
      kind,
      fc.constantFrom(500, 1200, 1800, 2800),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
      (totalPaise, tax, gstRateBasisPoints, cuts) => {
        const original = splitInclusive(totalPaise, gstRateBasisPoints, tax);
        const parts: TaxSplit[] = [];
        let left = totalPaise;
        const take = (paise: number): void => {
          if (paise === 0) return;
          parts.push(splitOfReturn(original, parts, paise, { gstRateBasisPoints, tax }));
          left -= paise;
        };
        for (const cut of cuts) take(Math.floor(left * cut));
        take(left);
        const names = ['taxablePaise', 'cgstPaise', 'sgstPaise', 'utgstPaise', 'igstPaise', 'taxPaise'] as const;
        expect(sum('totalPaise', parts)).toBe(original.totalPaise);
        const earlier = parts.slice(0, -1);
        const isUsedUp = names.some((name) => sum(name, earlier) > original[name]);
        expect(names.filter((name) => sum(name, parts) !== original[name] && !isUsedUp)).toEqual([]);
      },
    ),
    { numRuns: 2000 },
  );
});

test('₹1,499 that is refunded in three parts returns exactly the tax of its invoice', () => {
  const rate = { gstRateBasisPoints: 1800, tax: 'CGST_SGST' } as const;
  const original = splitInclusive(149_900, 1800, 'CGST_SGST');
  const parts: TaxSplit[] = [];
  for (const paise of [10_001, 101, 139_798]) parts.push(splitOfReturn(original, parts, paise, rate));
  expect(parts.map(({ cgstPaise }) => cgstPaise).reduce((sum, paise) => sum + paise, 0)).toBe(original.cgstPaise);
  expect(parts.map(({ taxablePaise }) => taxablePaise).reduce((sum, paise) => sum + paise, 0)).toBe(
    original.taxablePaise,
  );
  expect(() => splitOfReturn(original, parts, 1, rate)).toThrow(/more is returned/);
});
