import { type Day, isDay } from '#shared/domain/day.ts';
import { monthNames } from '#shared/domain/day-text.ts';

const numbers = /^(\d{1,2})[./\s-]+(\d{1,2})[./\s-]+(\d{4})$/;
const words = /^(\d{1,2})[.\s-]*([^\d\s.,-][^\d\s,-]*)[.,\s-]+(\d{4})$/;

/**
 * The day that somebody has typed, the day first as in India: "3/11/2026", "3 Nov 2026", "3 नव॰ 2026", or as the contract writes it.
 * Undefined when it is not a day.
 */
export function readDay(typed: string): Day | undefined {
  const text = typed.trim();
  if (isDay(text)) return text;
  const [, date = '', month = '', year = ''] = numbers.exec(text) ?? words.exec(text) ?? [];
  const number = /^\d+$/.test(month) ? Number(month) : monthNumber(month);
  const day = `${year}-${String(number).padStart(2, '0')}-${date.padStart(2, '0')}`;
  return isDay(day) ? day : undefined;
}

const bare = (text: string) => text.toLowerCase().replace('॰', '').normalize('NFC');

/** By its beginning, in any language: "nov", "November", "नवंबर". */
function monthNumber(name: string): number {
  const indexes = Object.values(monthNames).map((names) =>
    names.findIndex((short) => bare(name).startsWith(bare(short))),
  );
  return (indexes.find((index) => index >= 0) ?? -1) + 1;
}
