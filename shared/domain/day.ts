/**
 * Billing days are calendar days in Asia/Kolkata, written yyyy-mm-dd. India has one offset, +05:30, without daylight
 * saving, so a day is a fixed window of epoch milliseconds.
 */

/** A calendar day in IST, `yyyy-mm-dd`. Days of four-digit years compare as strings. */
export type Day = string;

const istOffsetMs = 5.5 * 3_600_000;
const dayMs = 86_400_000;

/** The IST day of an instant (epoch milliseconds). 2026-03-31T18:30:00Z is already 1 April. */
export function dayOf(epochMs: number): Day {
  return new Date(epochMs + istOffsetMs).toISOString().slice(0, 10);
}

/** The IST time of an instant (epoch milliseconds): `14:05:09`. */
export function timeOf(epochMs: number): string {
  return new Date(epochMs + istOffsetMs).toISOString().slice(11, 19);
}

/** The IST day of an instant in ISO 8601; a day is itself. */
export function dayOfText(text: string): Day {
  return isDay(text) ? text : dayOf(Date.parse(text));
}

/** An instant for people who work in India: `2026-11-27 14:35:12 IST`. */
export function istTime(at: Date): string {
  return `${new Date(at.getTime() + istOffsetMs).toISOString().slice(0, 19).replace('T', ' ')} IST`;
}

/** The instant (epoch milliseconds) at which an IST day begins, 00:00:00.000 IST. */
export function startOfDay(day: Day): number {
  return daysSinceEpoch(day) * dayMs - istOffsetMs;
}

/** The day `count` days later (or earlier, when negative). */
export function addDays(day: Day, count: number): Day {
  return new Date((daysSinceEpoch(day) + count) * dayMs).toISOString().slice(0, 10);
}

/** The number of days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return daysSinceEpoch(to) - daysSinceEpoch(from);
}

/** The later of two days. */
export function laterDay(a: Day, b: Day): Day {
  return a > b ? a : b;
}

/** The earlier of two days. */
export function earlierDay(a: Day, b: Day): Day {
  return a < b ? a : b;
}

/** True for a real calendar day written yyyy-mm-dd; 2027-02-29 is not one. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function daysSinceEpoch(day: Day): number {
  if (!isDay(day)) throw new RangeError(`${day} is not a calendar day yyyy-mm-dd`);
  return Date.parse(`${day}T00:00:00Z`) / dayMs;
}
