import type { CallCost } from './operation.ts';

/** A plan: as the catalogue offers it, and as a cycle keeps it for ever (decision 005). */

/** TRIAL may be taken once per customer and product; every other plan is bought cycle by cycle. */
export type Tenure = 'TRIAL' | 'MONTHLY';

/** Whether the listed price includes GST (the default, product §6.1) or GST is added. */
export type PriceTax = 'inclusive' | 'exclusive';

/** What happens to a running plan's money when it is deactivated (product §4.12). */
export type OnDeactivate = 'lose' | 'refund-unused';

/** One item that a plan includes, for people; `display` is shown. */
export interface Benefit {
  key: string;
  value: string;
  display: string;
}

/** The terms as sold. A cycle stores a copy, so that later catalogue changes never affect it. */
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
  /** SAC of the service, which the invoice must name (Rule 46(g)). */
  sac: string;
  maxDays: number;
  dailyQuota: number;
  /** Belongs to the cycle, not to a calendar month (product §7.1). */
  monthlyQuota: number;
  /** Requests in any one second. */
  rps: number;
  /** What calls cost that cost more or less than one unit, by operation. Quotas are in units. */
  costs?: Readonly<Record<string, CallCost>> | undefined;
  /** The operations that the plan includes; undefined for all. */
  operations?: readonly string[] | undefined;
  onDeactivate: OnDeactivate;
  badge?: string | undefined;
  benefits: Benefit[];
}

/** Default number of days of a plan (product §4.10). */
export const defaultMaxDays = 30;

/** Free plans and trials require no payment. */
export function costsNothing(plan: Pick<PlanTerms, 'pricePaise'>): boolean {
  return plan.pricePaise === 0;
}

/** Free plans first, then by price, then by name (product §2.17). */
export function compareByPrice<P extends Pick<PlanTerms, 'pricePaise' | 'name'>>(a: P, b: P): number {
  return a.pricePaise - b.pricePaise || a.name.localeCompare(b.name);
}
