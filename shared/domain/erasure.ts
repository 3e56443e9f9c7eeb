import { type Day, addDays, laterDay } from './day.ts';
import { financialYearOf } from './financial-year.ts';

/** Until when papers of a day must be kept. */
export interface KeptUntil {
  /**
   * CGST Act 2017, section 36: 72 months from the due date of the annual return for the year, which is 31 December after its end (section 44,
   * CGST Rules, rule 80).
   */
  gst: Day;
  /** Companies Act 2013, section 128(5): eight financial years. */
  books: Day;
  /** The later one: before it nothing of these papers may go. */
  last: Day;
}

/** Until when papers of a day must be kept, whatever the customer asks (DPDP Act 2023, section 8(7)). */
export function keptUntil(day: Day): KeptUntil {
  const start = Number(financialYearOf(day).slice(0, 4));
  const [gst, books] = [`${start + 7}-12-31`, `${start + 9}-03-31`];
  return { gst, books, last: laterDay(gst, books) };
}

/** DPDP Rules 2025, rule 1(4): rules 3, 5 to 16, 22 and 23 are in force eighteen months after 13 November 2025. */
export const dpdpRulesFrom: Day = '2027-05-13';

/**
 * The first day on which personal data last processed on a day may be erased; null when that is no matter. DPDP Rules 2025, rule 8(3): personal
 * data, traffic data and logs are kept for at least one year from the processing.
 */
export function notErasedBefore(lastProcessed: Day, today: Day): Day | null {
  if (today < dpdpRulesFrom) return null;
  const [year, rest] = [Number(lastProcessed.slice(0, 4)) + 1, lastProcessed.slice(4)];
  // 29 February has no day a year later.
  const first = rest === '-02-29' ? `${year}-03-01` : `${year}${rest}`;
  return first > today ? first : null;
}

/** Days within which a request is dealt with; the rules allow ninety for a grievance (DPDP Rules 2025, rule 14(3)). */
export const answeredWithinDays = 30;

/** Is a request older than that? */
export const isRequestLate = (askedOn: Day, today: Day): boolean => addDays(askedOn, answeredWithinDays) < today;
