import type { Cycle } from '#shared/contract/cycles.ts';
import type { Plan } from '#shared/contract/marketplace.ts';
import type { OperationTerms } from '#shared/contract/values.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { defaultMaxDays } from '#shared/domain/plan.ts';
import { cycleTexts, planTexts, rechargeTexts } from '#web/features/cycles/texts.ts';
import { daysText } from '#web/ui/cycle-days.ts';
import { priceText } from '#web/ui/money-text.ts';

/** A plan with what it costs: "Growth, ₹1,499 for 30 days". */
export function offerText({ name, total, maxDays }: Pick<Plan, 'name' | 'total' | 'maxDays'>): string {
  return `${name}, ${priceText(total)} ${cycleTexts.forDays(daysText(maxDays))}`;
}

/** The quotas of a plan in a line: "5,000 requests per day, 1,00,000 per month, 20 requests per second". */
export function quotaText(plan: Pick<Plan, 'dailyQuota' | 'monthlyQuota' | 'rps' | 'costs'>, days: number): string {
  const quotas = { daily: formatNumber(plan.dailyQuota), monthly: formatNumber(plan.monthlyQuota), rps: plan.rps };
  if (plan.costs.length > 0) return planTexts.unitsOfDays({ ...quotas, days });
  return days === defaultMaxDays ? planTexts.quotas(quotas) : planTexts.quotasOfDays({ ...quotas, days });
}

/** What a plan says of operations: which it includes, and what those cost that cost other than one unit. */
export function operationLines({ costs, operations }: OperationTerms): string[] {
  const included = operations === null ? [] : [planTexts.onlyOperations(operations.join(', '))];
  return [...included, ...costs.map(costLine)];
}

function costLine({ operation, units, statuses }: OperationTerms['costs'][number]): string {
  if (units === 0) return planTexts.freeOperation(operation);
  const cost = planTexts.cost(operation, units);
  return statuses === null ? cost : planTexts.costOfStatuses(cost, statuses.join(', '));
}

/** The packs that were added to a plan. */
export function packLines({ packs, raisedUnits }: Pick<Cycle, 'packs' | 'raisedUnits'>): string[] {
  const lines = packs.map(({ name, units, status }) =>
    status === 'PAID' ? rechargeTexts.added(name, formatNumber(units)) : rechargeTexts.unpaid(name),
  );
  return raisedUnits === 0 ? lines : [...lines, rechargeTexts.raised(formatNumber(raisedUnits))];
}

/** The title of a category: "Standard Plans" (product §2.17). */
export function categoryTitle(plans: readonly Pick<Plan, 'categoryName'>[]): string {
  return planTexts.category(plans[0]?.categoryName ?? '');
}
