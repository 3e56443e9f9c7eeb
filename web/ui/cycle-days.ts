import type { Cycle } from '#shared/contract/cycles.ts';
import { type CycleDates, datesWhenPaid, isUnpaid } from '#shared/domain/cycle.ts';
import { type Day, daysBetween } from '#shared/domain/day.ts';
import { periodText } from '#web/ui/localized-days.ts';
import { uiTexts as texts } from '#web/ui/texts.ts';

/**
 * The days of a cycle. One that is not paid yet has those that it gets if it is paid today (product §4.14), so it names no
 * end that nobody has bought. `taken`: the days that are covered already.
 */
export function daysOf(
  cycle: CycleDates & Pick<Cycle, 'status' | 'replaces'>,
  today: Day,
  taken: readonly CycleDates[],
): string {
  if (!isUnpaid(cycle)) return periodText(cycle);
  // A switch starts on the day of its payment, whatever runs.
  const dates = cycle.replaces === null ? datesWhenPaid(cycle, today, taken) : cycle;
  if (cycle.replaces !== null || dates.fromDate === today)
    return texts.fromPayment(daysText(daysBetween(dates.fromDate, dates.toDate)));
  return periodText(dates);
}

/** "1 day", "30 days". */
export function daysText(days: number): string {
  return texts.days(days);
}
