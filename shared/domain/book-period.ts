import type { Day } from '#shared/domain/day.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';
import { assertMonth, firstDayOf, lastDayOf, type Month, monthPattern } from '#shared/domain/month.ts';

/** What the files of the books are made for: a month, or a financial year. */
export interface BookPeriod {
  /** `2026-10` or `2026-27`. */
  name: string;
  from: Day;
  to: Day;
  isYear: boolean;
}

export function monthPeriod(month: Month): BookPeriod {
  return { name: month, from: firstDayOf(assertMonth(month)), to: lastDayOf(month), isYear: false };
}

/** Reads `2026-10` or `2026-27`; throws RangeError for anything else. `2009-10` is October: a year of that time has no books here. */
export function readBookPeriod(text: string): BookPeriod {
  const from = `${text.slice(0, 4)}-04-01`;
  if (monthPattern.test(text)) return monthPeriod(text);
  if (/^2[01]\d{2}-\d{2}$/.test(text) && financialYearOf(from) === text)
    return { name: text, from, to: `${Number(text.slice(0, 4)) + 1}-03-31`, isYear: true };
  throw new RangeError(`${text} is not a month or financial year. Write it like 2026-11 or 2026-27.`);
}
