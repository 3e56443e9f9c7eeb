import fc from 'fast-check';
import { expect, test } from 'vitest';
import { grantedTerms, maxGrantedDays } from './granted-plan.ts';
import { costsNothing, type PlanTerms } from './plan.ts';

const plan: PlanTerms = {
  planId: 'growth',
  name: 'Growth',
  description: 'For products',
  tenure: 'TRIAL',
  pricePaise: 149_900,
  tax: 'inclusive',
  gstRateBasisPoints: 1800,
  sac: '998319',
  maxDays: 30,
  dailyQuota: 1000,
  monthlyQuota: 20_000,
  rps: 10,
  onDeactivate: 'refund-unused',
  benefits: [],
};

test('a granted plan has the quotas of its plan, no price and an end, whatever the days', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: maxGrantedDays }), (days) => {
      const terms = grantedTerms(plan, days);
      expect(costsNothing(terms)).toBe(true);
      expect(terms).toEqual({ ...plan, pricePaise: 0, maxDays: days, tenure: 'MONTHLY', onDeactivate: 'lose' });
    }),
  );
  for (const days of [0, -1, 1.5, maxGrantedDays + 1, Number.NaN])
    expect(() => grantedTerms(plan, days)).toThrow(RangeError);
});
