import { addDays, type Day } from '#shared/domain/day.ts';

/** A calendar month in IST, `2026-11`. Months of four-digit years compare as strings. */
export type Month = string;

/** The month of a day. */
export function monthOf(day: Day): Month {
  return day.slice(0, 7);
}

/** A month of the centuries that the product supports, as days are. */
export const monthPattern = /^2[01]\d{2}-(0[1-9]|1[0-2])$/;

/** Returns its argument, or throws RangeError when it is not a month. */
export function assertMonth(text: string): Month {
  if (!monthPattern.test(text)) throw new RangeError(`${text} is not a month. Write it like 2026-11.`);
  return text;
}

/** The month after a month. */
export function nextMonth(month: Month): Month {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`;
}

/** The month before a month. */
export function monthBefore(month: Month): Month {
  return monthOf(addDays(firstDayOf(month), -1));
}

/** The first day of a month. */
export function firstDayOf(month: Month): Day {
  return `${month}-01`;
}

/** The last day of a month. */
export function lastDayOf(month: Month): Day {
  return addDays(firstDayOf(nextMonth(month)), -1);
}
