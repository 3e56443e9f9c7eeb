import type { Day } from '#shared/domain/day.ts';

/**
 * The financial year a day falls in, 1 April to 31 March, as `2026-27` (the year 2099 gives `2099-00`). Takes a
 * calendar day in India: an instant must be converted to its day in Asia/Kolkata first, since 2026-03-31T19:00Z is
 * already 1 April there.
 */
export function financialYearOf(day: Day): string {
  const year = Number(day.slice(0, 4));
  const start = day.slice(5, 7) < '04' ? year - 1 : year;
  return `${String(start).padStart(4, '0')}-${String((start + 1) % 100).padStart(2, '0')}`;
}

/** The same in its short form, `26-27`, for document numbers of at most 16 characters. */
export function shortFinancialYearOf(day: Day): string {
  return financialYearOf(day).slice(2);
}

/** The first day of the financial year that a day falls in. */
export function firstDayOfFinancialYear(day: Day): Day {
  return `${financialYearOf(day).slice(0, 4)}-04-01`;
}
