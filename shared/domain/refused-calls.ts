import type { CycleDates } from '#shared/domain/cycle.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import { type OpenBillState, stopsCalls } from '#shared/domain/pay-later.ts';

/** Why the gateway refuses an activation's calls now. */
export type RefusedReason = 'no-plan' | 'unpaid-bill' | 'daily-quota' | 'monthly-quota';

/** That calls are refused, and the day on which that ends at 00:00 IST; null while nothing is bought that ends it. */
export interface RefusedCalls {
  reason: RefusedReason;
  until: Day | null;
}

/** A cycle that gives access on its days, unless its calls are stopped as its bill is not paid. */
interface GrantingCycle extends CycleDates {
  bill: { state: OpenBillState } | null;
}

/**
 * Whether an activation's calls are refused on a day, and until when (product §4.16). `granting`: the cycles that give
 * access on their days. `left`: what is left of the running cycle's quotas.
 */
export function refusedCalls(
  granting: readonly GrantingCycle[],
  left: { daily: number; monthly: number },
  today: Day,
): RefusedCalls | undefined {
  const tomorrow = addDays(today, 1);
  const running = granting.find((cycle) => cycle.fromDate <= today && today < cycle.toDate);
  const [next] = granting
    .filter((cycle) => !isStopped(cycle))
    .map((cycle) => cycle.fromDate)
    .filter((day) => day > today)
    .toSorted();
  if (running === undefined) return { reason: 'no-plan', until: next ?? null };
  if (isStopped(running)) return { reason: 'unpaid-bill', until: next ?? null };
  if (left.monthly <= 0) return { reason: 'monthly-quota', until: next ?? null };
  if (left.daily > 0) return undefined;
  return { reason: 'daily-quota', until: running.toDate > tomorrow ? tomorrow : (next ?? null) };
}

/** Does a cycle give no access on its days, as its bill is not paid? */
export function isStopped({ bill }: Pick<GrantingCycle, 'bill'>): boolean {
  return bill !== null && stopsCalls(bill.state);
}
