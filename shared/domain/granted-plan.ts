import type { PlanTerms } from './plan.ts';

/** The most days that a plan may be granted for, so that a grant always ends. */
export const maxGrantedDays = 366;

/**
 * The terms of a plan that is granted for some days (product §4.25): those of the catalogue, without a price. It is no trial, so the customer
 * still has that, and nothing comes back when it ends early.
 */
export function grantedTerms(plan: PlanTerms, days: number): PlanTerms {
  if (!Number.isInteger(days) || days < 1 || days > maxGrantedDays)
    throw new RangeError(`a plan is granted for 1 to ${maxGrantedDays} days, not ${days}`);
  return { ...plan, tenure: 'MONTHLY', pricePaise: 0, maxDays: days, onDeactivate: 'lose' };
}
