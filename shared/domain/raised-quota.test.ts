import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maxRaise, raisedQuotas } from './raised-quota.ts';

test('whatever is added and taken back, quotas are what was sold and the sum of what was added, never less', () => {
  fc.assert(
    fc.property(
      fc.nat(100_000),
      fc.nat(1_000_000),
      fc.array(fc.integer({ min: -5000, max: 5000 })),
      (daily, monthly, raises) => {
        let quotas = { daily, monthly, raised: 0 };
        let sum = 0;
        for (const units of raises) {
          const made = raisedQuotas({ ...quotas, units });
          expect(made === undefined).toBe(units === 0 || sum + units < 0);
          if (made === undefined) continue;
          sum += units;
          quotas = made;
        }
        expect(quotas).toEqual({ daily: daily + sum, monthly: monthly + sum, raised: sum });
      },
    ),
  );
});

test('no part of a unit is added, and no more than the database can count', () => {
  const sold = { daily: 10, monthly: 100, raised: 0 };
  for (const units of [0.5, Number.NaN, maxRaise + 1, -1]) expect(raisedQuotas({ ...sold, units })).toBeUndefined();
  expect(raisedQuotas({ ...sold, units: maxRaise })).toMatchObject({ raised: maxRaise });
});
