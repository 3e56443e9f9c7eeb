import type { Activation } from '#shared/contract/activations.ts';
import type { Usage } from '#shared/contract/usage.ts';
import { takenBy } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import { refusedCalls } from '#shared/domain/refused-calls.ts';

/** Whether calls are refused, from usage that is newer than the activation, once there is some. */
export function refusedNow(
  { billingCycles, callsRefused }: Activation,
  insights: Pick<Usage['insights'], 'dailyUse' | 'monthlyUse'> | undefined,
  today: Day,
): Activation['callsRefused'] {
  if (insights === undefined) return callsRefused;
  const left = { daily: insights.dailyUse.quotaRemaining, monthly: insights.monthlyUse.quotaRemaining };
  return refusedCalls(takenBy(billingCycles, today), left, today) ?? null;
}
