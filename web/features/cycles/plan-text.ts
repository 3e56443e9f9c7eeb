import type { Plan } from '#contract/marketplace.ts';
import { defaultMaxDays } from '#domain/plan.ts';

const count = new Intl.NumberFormat('en-IN');

/** The quotas of a plan in a line: "5,000 requests a day, 1,00,000 a month, 20 requests per second". */
export function quotaText(plan: Pick<Plan, 'dailyQuota' | 'monthlyQuota' | 'rps'>, days: number): string {
  const month = days === defaultMaxDays ? 'a month' : `in ${days} days`;
  const rate = plan.rps === 1 ? '1 request per second' : `${count.format(plan.rps)} requests per second`;
  return `${count.format(plan.dailyQuota)} requests a day, ${count.format(plan.monthlyQuota)} ${month}, ${rate}`;
}

/** The title of a category: 'standard' → "Standard Plans" (spec §3). */
export function categoryTitle(category: string): string {
  return `${category.charAt(0).toUpperCase()}${category.slice(1)} Plans`;
}

/** "1 day", "30 days". */
export function daysText(days: number): string {
  return days === 1 ? '1 day' : `${count.format(days)} days`;
}
