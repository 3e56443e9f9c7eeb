import type { Activation } from '#shared/contract/activations.ts';
import type { Usage } from '#shared/contract/usage.ts';
import { takenBy } from '#shared/domain/cycle.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import { refusedCalls } from '#shared/domain/refused-calls.ts';
import { endText, shortDayText } from '#web/ui/localized-days.ts';
import { uiTexts } from '#web/ui/texts.ts';

/** "Calls are refused until 00:00 IST" and the like, said beside a status (product §4.16); undefined when they are not. */
export function refusedText(refused: Activation['callsRefused'], today: Day): string | undefined {
  if (refused === null) return undefined;
  const { reason, until } = refused;
  if (until === null) return uiTexts.refused.none[reason];
  return reason === 'daily-quota' && until === addDays(today, 1)
    ? uiTexts.refused.untilMidnight
    : uiTexts.refused.until(endText(until, today));
}

/** The same from usage that is newer than the activation, once there is some. */
export function refusedNow(
  { billingCycles, callsRefused }: Activation,
  insights: Pick<Usage['insights'], 'dailyUse' | 'monthlyUse'> | undefined,
  today: Day,
): Activation['callsRefused'] {
  if (insights === undefined) return callsRefused;
  const left = { daily: insights.dailyUse.quotaRemaining, monthly: insights.monthlyUse.quotaRemaining };
  return refusedCalls(takenBy(billingCycles, today), left, today) ?? null;
}

/** "Calls are refused from 23 Nov to 6 Dec": the days without a plan when the running one ends today (product §4.12). */
export function gapText(today: Day, next: Day): string | undefined {
  const last = addDays(next, -1);
  if (next <= today) return undefined;
  return last === today ? uiTexts.refused.untilMidnight : uiTexts.refused.gap(shortDayText(today), shortDayText(last));
}
