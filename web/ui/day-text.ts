import { type Day, dayOf, daysBetween } from '#domain/day.ts';
import { language } from '#web/language/language.ts';
import { uiTexts } from '#web/ui/texts.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const hindiMonths = ['जन॰', 'फ़र॰', 'मार्च', 'अप्रैल', 'मई', 'जून', 'जुल॰', 'अग॰', 'सित॰', 'अक्तू॰', 'नव॰', 'दिस॰'];

/** As CLDR shortens them. */
function monthNames(): readonly string[] {
  return language() === 'hi' ? hindiMonths : months;
}

/** A day's parts for people: 2026-11-03 → { day: '3', month: 'Nov', year: '2026' }. */
export function dayParts(day: Day): { day: string; month: string; year: string } {
  const [year = '', month = '', date = ''] = day.split('-');
  return { day: String(Number(date)), month: monthNames()[Number(month) - 1] ?? '', year };
}

/** 2026-11-21 → "21 Nov 2026". */
export function dayText(day: Day): string {
  const parts = dayParts(day);
  return `${parts.day} ${parts.month} ${parts.year}`;
}

/** 2026-11-21 → "21 Nov". */
export function shortDayText(day: Day): string {
  const parts = dayParts(day);
  return `${parts.day} ${parts.month}`;
}

/** "3 Nov 2026 – 3 Dec 2026". */
export function rangeText(from: Day, to: Day): string {
  return `${dayText(from)} – ${dayText(to)}`;
}

/** "3 Nov – 3 Dec 2026"; both years when they differ. */
export function shortRangeText(from: Day, to: Day): string {
  return dayParts(from).year === dayParts(to).year ? `${shortDayText(from)} – ${dayText(to)}` : rangeText(from, to);
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

const istTime = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'Asia/Kolkata' });

/** The IST day of an instant as the contract writes it (ISO 8601). */
export function dayOfInstant(instant: string): Day {
  return dayOf(Date.parse(instant));
}

/** The IST time of an instant (ISO 8601): "14:05:09". */
export function timeText(instant: string): string {
  return istTime.format(new Date(instant));
}

/** When a change of access takes effect at the latest (ISO 8601); `now` where it is in effect already. */
export function effectText(effectiveBy: string | null, now?: string): string | undefined {
  return effectiveBy === null ? now : uiTexts.effectiveBy(timeText(effectiveBy));
}

/** The IST day and minute of an instant (ISO 8601): "22 Nov 2026, 00:00". */
export function instantText(instant: string): string {
  return `${dayText(dayOfInstant(instant))}, ${timeText(instant).slice(0, 5)}`;
}
