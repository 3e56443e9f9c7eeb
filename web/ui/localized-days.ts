import type { CycleDates } from '#shared/domain/cycle.ts';
import { type Day, dayOf, daysBetween, timeOf } from '#shared/domain/day.ts';
import type { Month } from '#shared/domain/month.ts';
import * as written from '#shared/domain/day-text.ts';
import { language } from '#web/language/language.ts';
import { uiTexts } from '#web/ui/texts.ts';

/** A day's parts for people, in the language of the page: 2026-11-03 → { day: '3', month: 'Nov', year: '2026' }. */
export function dayParts(day: Day): { day: string; month: string; year: string } {
  return written.dayParts(day, language());
}

/** 2026-11-21 → "21 Nov 2026". */
export function dayText(day: Day): string {
  return written.longDay(day, language());
}

/** 2026-11 → "Nov 2026". */
export function monthText(inMonth: Month): string {
  return written.monthName(inMonth, language());
}

/** 2026-11-21 → "21 Nov". */
export function shortDayText(day: Day): string {
  return written.shortDay(day, language());
}

/** The days from `first` to `last`, both included: "3 Nov – 2 Dec 2026". */
export function spanText(first: Day, last: Day): string {
  return written.spanText(first, last, language());
}

/** The days that a cycle covers (product §4.15): "3 Nov – 2 Dec 2026 (30 days)". */
export function periodText(dates: CycleDates): string {
  return written.periodText(dates, language());
}

/** When a cycle with this `toDate` ends (product §4.15): "3 Dec, 00:00 IST". */
export function endText(toDate: Day, today: Day): string {
  return written.endText(toDate, today, language());
}

/**
 * How long ago a day was (product §10.1): Today, Yesterday, up to 7 days 'Last Week', up to 30 days '{n} days ago', otherwise,
 * and for days to come, the full date.
 */
export function relativeDayText(day: Day, today: Day): string {
  const ago = daysBetween(day, today);
  if (ago === 0) return uiTexts.today;
  if (ago === 1) return uiTexts.yesterday;
  if (ago > 1 && ago <= 7) return uiTexts.lastWeek;
  if (ago > 7 && ago <= 30) return uiTexts.daysAgo(ago);
  return dayText(day);
}

/** The IST day of an instant as the contract writes it (ISO 8601). */
export function dayOfInstant(instant: string): Day {
  return dayOf(Date.parse(instant));
}

/** The IST time of an instant (ISO 8601): "14:05:09". */
export function timeText(instant: string): string {
  return timeOf(Date.parse(instant));
}

/** When a change of access takes effect at the latest (ISO 8601); `now` where it is in effect already. */
export function effectText(effectiveBy: string | null, now?: string): string | undefined {
  return effectiveBy === null ? now : uiTexts.effectiveBy(timeText(effectiveBy));
}

/** The IST day and minute of an instant (ISO 8601): "22 Nov 2026, 00:00". */
export function instantText(instant: string): string {
  return `${dayText(dayOfInstant(instant))}, ${timeText(instant).slice(0, 5)}`;
}
