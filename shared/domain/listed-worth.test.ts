import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pricingPlan, usableUnits, worthOf } from './listed-worth.ts';

const plan = (planId: string, pricePaise: number, dailyQuota: number, monthlyQuota: number, maxDays = 30) => ({
  planId,
  pricePaise,
  dailyQuota,
  monthlyQuota,
  maxDays,
});
const growth = plan('growth', 149_900, 5000, 50_000);
const starter = plan('starter', 49_900, 500, 5000);
const onSale = [plan('free', 0, 100, 1000), starter, growth];

test('the whole plan is worth its price, fewer days are worth the units that they allow, and more days are worth no more', () => {
  expect([30, 366, 10, 7, 1].map((days) => worthOf(usableUnits(growth, days), growth))).toEqual([
    149_900, 149_900, 149_900, 104_930, 14_990,
  ]);
});

test('a unit has the price of its plan as sold, of the same plan on sale if it was granted, and of the dearest if it is free', () => {
  const sold = { ...growth, pricePaise: 99_900 };
  expect(pricingPlan(sold, onSale)).toBe(sold);
  expect(pricingPlan({ ...growth, pricePaise: 0 }, onSale)).toBe(growth);
  expect(pricingPlan(plan('trial', 0, 5000, 50_000), onSale)).toBe(starter);
  expect(worthOf(1000, pricingPlan(plan('free', 0, 100, 1000), []))).toBe(0);
});

test('whatever the units, the worth is whole paise, never too little, and never less for more', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000_000 }),
      fc.integer({ min: 1, max: 1_000_000_000 }),
      (units, price) => {
        const priced = { ...growth, pricePaise: price };
        const worth = worthOf(units, priced);
        expect(Number.isSafeInteger(worth)).toBe(true);
        expect(worthOf(units + 1, priced)).toBeGreaterThanOrEqual(worth);
        expect(worth === 10 ** 13 || BigInt(worth) * 50_000n >= BigInt(units) * BigInt(price)).toBe(true);
      },
    ),
  );
});

test('units that are taken back are worth nothing', () => {
  expect(worthOf(-5, growth)).toBe(0);
});
