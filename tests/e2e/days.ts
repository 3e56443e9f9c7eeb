/** yyyy-mm-dd in IST, the given number of days from today. */
export const dayFromNow = (days: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' }).format(Date.now() + days * 86_400_000);

/** The quarter of a financial year that today is in, as 2026-27 Q3. */
export function quarterOfToday(): string {
  const [year = 0, month = 0] = dayFromNow(0).split('-').map(Number);
  const from = month < 4 ? year - 1 : year;
  return `${from}-${String(from + 1).slice(2)} Q${Math.floor(((month + 8) % 12) / 3) + 1}`;
}
