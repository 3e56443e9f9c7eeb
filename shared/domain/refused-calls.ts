import type { CycleDates } from '#shared/domain/cycle.ts';
import { addDays, type Day } from '#shared/domain/day.ts';

/** Why the gateway refuses an activation's calls now. */
export type RefusedReason = 'no-plan' | 'daily-quota' | 'monthly-quota';

/** That calls are refused, and the day on which that ends at 00:00 IST; null while nothing is bought that ends it. */
export interface RefusedCalls {
  reason: RefusedReason;
  until: Day | null;
}

/**
 * Whether an activation's calls are refused on a day, and until when (product §4.16). `granting`: the cycles that give
 * access on their days. `left`: what is left of the running cycle's quotas.
 */
export function refusedCalls(
  granting: readonly CycleDates[],
  left: { daily: number; monthly: number },
  today: Day,
): RefusedCalls | undefined {
  const tomorrow = addDays(today, 1);
  const running = granting.find((cycle) => cycle.fromDate <= today && today < cycle.toDate);
  const [next] = granting
    .map((cycle) => cycle.fromDate)
    .filter((day) => day > today)
    .toSorted();
  if (running === undefined) return { reason: 'no-plan', until: next ?? null };
  if (left.monthly <= 0) return { reason: 'monthly-quota', until: next ?? null };
  if (left.daily > 0) return undefined;
  return { reason: 'daily-quota', until: running.toDate > tomorrow ? tomorrow : (next ?? null) };
}
