/** What a customer buys: a plan as the catalogue offers it and as a cycle keeps it for ever (decision 005). */

/** TRIAL may be taken once per customer and product; every other plan is bought cycle by cycle. */
export type Tenure = 'TRIAL' | 'MONTHLY';

/** Does the listed price include GST (the rule, product §6.1) or is GST added to it? */
export type PriceTax = 'inclusive' | 'exclusive';

/** What happens to a running plan's money when it is deactivated (product §4.12). */
export type OnDeactivate = 'lose' | 'refund-unused';

/** One line of what a plan gives, for people: `display` is what is shown. */
export interface Benefit {
  key: string;
  value: string;
  display: string;
}

/** The terms that were sold. A cycle stores this whole, so that a later catalogue never changes it. */
export interface PlanTerms {
  planId: string;
  name: string;
  description: string;
  tenure: Tenure;
  /** As listed, in paise; 0 for free plans and trials. */
  pricePaise: number;
  tax: PriceTax;
  /** GST rate in hundredths of a percent: 1800 is 18 %. */
  gstRateBasisPoints: number;
  /** SAC of the service, as the invoice must name it (Rule 46(g)). */
  sac: string;
  maxDays: number;
  dailyQuota: number;
  /** Belongs to the cycle, not to a calendar month (product §7.1). */
  monthlyQuota: number;
  /** Requests in any one second. */
  rps: number;
  onDeactivate: OnDeactivate;
  badge?: string | undefined;
  benefits: Benefit[];
}

/** Days a plan lasts when the catalogue does not say (product §4.10). */
export const defaultMaxDays = 30;

/** Free plans and trials ask for no payment. */
export function isFree(plan: Pick<PlanTerms, 'pricePaise'>): boolean {
  return plan.pricePaise === 0;
}

/** Free plans first, then by price, then by name (product §2.17). */
export function compareByPrice<P extends Pick<PlanTerms, 'pricePaise' | 'name'>>(a: P, b: P): number {
  return a.pricePaise - b.pricePaise || a.name.localeCompare(b.name);
}
