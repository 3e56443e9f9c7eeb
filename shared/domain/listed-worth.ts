import type { PlanTerms } from './plan.ts';

/** What plans and units that are given free would cost as listed: it counts towards the limit of one operator (decision 067). */

type Quotas = Pick<PlanTerms, 'dailyQuota' | 'monthlyQuota'>;
type Terms = Quotas & Pick<PlanTerms, 'planId' | 'pricePaise' | 'maxDays'>;

/** Beyond any limit, and still exact in rupees. */
const mostPaise = 10 ** 13;

/** The units that both quotas of a plan allow in some days. */
export const usableUnits = ({ dailyQuota, monthlyQuota }: Quotas, days: number): number =>
  Math.min(monthlyQuota, dailyQuota * days);

const unitsOf = (plan: Terms): number => usableUnits(plan, plan.maxDays);

/**
 * The plan whose price says what a unit costs: the plan itself as it was sold, the same of the catalogue if it was granted, and the dearest of
 * the product if it is free or a trial. Undefined if nothing of the product has a price.
 */
export function pricingPlan(plan: Terms, onSale: readonly Terms[]): Terms | undefined {
  const priced = [plan, ...onSale].filter(({ pricePaise }) => pricePaise > 0);
  const same = priced.find(({ planId }) => planId === plan.planId);
  if (same !== undefined) return same;
  return priced.toSorted((a, b) => b.pricePaise / unitsOf(b) - a.pricePaise / unitsOf(a))[0];
}

/** What some units cost at the price of a plan, rounded up to the paisa. */
export function worthOf(units: number, priced: Terms | undefined): number {
  if (priced === undefined || units <= 0) return 0;
  const of = BigInt(unitsOf(priced));
  const paise = (BigInt(units) * BigInt(priced.pricePaise) + of - 1n) / of;
  return Math.min(mostPaise, Number(paise));
}
