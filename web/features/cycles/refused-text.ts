import type { Activation } from '#shared/contract/activations.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
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

/** "Calls are refused from 23 Nov to 6 Dec": the days without a plan when the running one ends today (product §4.12). */
export function gapText(today: Day, next: Day): string | undefined {
  const last = addDays(next, -1);
  if (next <= today) return undefined;
  return last === today ? uiTexts.refused.untilMidnight : uiTexts.refused.gap(shortDayText(today), shortDayText(last));
}
