import { addDays, type Day } from '#domain/day.ts';

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** A day as shown to people, `21 Nov 2026`. */
export function longDay(day: Day): string {
  return days.format(new Date(`${day}T00:00:00Z`));
}

/**
 * The days [fromDate, toDate) as shown to people, `21 Nov 2026 to 20 Dec 2026`: the last day is the one before toDate.
 */
export function longRange(fromDate: Day, toDate: Day): string {
  return `${longDay(fromDate)} to ${longDay(addDays(toDate, -1))}`;
}
