import type { CycleDates } from '#shared/domain/cycle.ts';
import { addDays, type Day, dayOf, daysBetween, timeOf } from '#shared/domain/day.ts';
import { firstDayOf, type Month } from '#shared/domain/month.ts';

/** The languages in which days are written. Paper, mails and files are English. */
export type DayLanguage = 'en' | 'hi';

/** As CLDR shortens them. */
export const monthNames: Record<DayLanguage, readonly string[]> = {
  en: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  hi: ['जन॰', 'फ़र॰', 'मार्च', 'अप्रैल', 'मई', 'जून', 'जुल॰', 'अग॰', 'सित॰', 'अक्तू॰', 'नव॰', 'दिस॰'],
};

/** A day's parts for people: 2026-11-03 → { day: '3', month: 'Nov', year: '2026' }. */
export function dayParts(day: Day, language: DayLanguage = 'en'): { day: string; month: string; year: string } {
  const [year = '', month = '', date = ''] = day.split('-');
  return { day: String(Number(date)), month: monthNames[language][Number(month) - 1] ?? '', year };
}

/** 2026-11-21 → "21 Nov 2026". */
export function longDay(day: Day, language: DayLanguage = 'en'): string {
  const { year } = dayParts(day);
  return `${shortDay(day, language)} ${year}`;
}

/** 2026-11-21 → "21 Nov". */
export function shortDay(day: Day, language: DayLanguage = 'en'): string {
  const parts = dayParts(day, language);
  return `${parts.day} ${parts.month}`;
}

/** 2026-11 → "Nov 2026". */
export function monthName(inMonth: Month, language: DayLanguage = 'en'): string {
  const { month, year } = dayParts(firstDayOf(inMonth), language);
  return `${month} ${year}`;
}

/** The days from `first` to `last`, both included: "14 Oct – 12 Nov 2026", with both years when they differ. */
export function spanText(first: Day, last: Day, language: DayLanguage = 'en'): string {
  if (first === last) return longDay(first, language);
  const isOneYear = dayParts(first).year === dayParts(last).year;
  return `${isOneYear ? shortDay(first, language) : longDay(first, language)} – ${longDay(last, language)}`;
}

/**
 * The days that a cycle covers, the only way in which a period is written (product §4.15): "14 Oct – 12 Nov 2026 (30
 * days)". The last day named is the last one that is covered, the day before `toDate`.
 */
export function periodText({ fromDate, toDate }: CycleDates, language: DayLanguage = 'en'): string {
  const days = daysBetween(fromDate, toDate);
  const count = language === 'hi' ? `${days} दिन` : days === 1 ? '1 day' : `${days} days`;
  return `${spanText(fromDate, addDays(toDate, -1), language)} (${count})`;
}

/**
 * The instant at which a cycle with this `toDate` ends, where the end itself is named (product §4.15): "13 Nov, 00:00
 * IST". It has its year when that is not this year.
 */
export function endText(toDate: Day, today: Day, language: DayLanguage = 'en'): string {
  const isThisYear = dayParts(toDate).year === dayParts(today).year;
  return `${isThisYear ? shortDay(toDate, language) : longDay(toDate, language)}, 00:00 IST`;
}

/** The IST time of an instant, to the minute: "14:05". */
export function minuteText(at: Date): string {
  return timeOf(at.getTime()).slice(0, 5);
}

/** The same with its day: "12 Sep 2026, 14:05". */
export function momentText(at: Date): string {
  return `${longDay(dayOf(at.getTime()))}, ${minuteText(at)}`;
}
