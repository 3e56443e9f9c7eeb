import type { Plan } from '#contract/marketplace.ts';
import { formatNumber } from '#domain/number-text.ts';
import { defaultMaxDays } from '#domain/plan.ts';
import { planTexts } from '#web/features/cycles/texts.ts';

/** The quotas of a plan in a line: "5,000 requests per day, 1,00,000 per month, 20 requests per second". */
export function quotaText(plan: Pick<Plan, 'dailyQuota' | 'monthlyQuota' | 'rps'>, days: number): string {
  const quotas = { daily: formatNumber(plan.dailyQuota), monthly: formatNumber(plan.monthlyQuota), rps: plan.rps };
  return days === defaultMaxDays ? planTexts.quotas(quotas) : planTexts.quotasOfDays({ ...quotas, days });
}

/** The title of a category: 'standard' → "Standard Plans" (product §2.17). */
export function categoryTitle(category: string): string {
  return planTexts.category(`${category.charAt(0).toUpperCase()}${category.slice(1)}`);
}
