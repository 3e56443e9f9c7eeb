import { z } from 'zod';

/** How often a mandate may be debited. */
export const frequencySchema = z.enum([
  'as_presented',
  'daily',
  'weekly',
  'fortnightly',
  'bimonthly',
  'monthly',
  'quarterly',
  'half_yearly',
  'yearly',
]);
export type Frequency = z.infer<typeof frequencySchema>;

const dayMs = 86_400_000;
const indiaMs = 5.5 * 3_600_000;

/** Months in a cycle; the others are counted in days. */
const months: Partial<Record<Frequency, number>> = {
  monthly: 1,
  bimonthly: 2,
  quarterly: 3,
  half_yearly: 6,
  yearly: 12,
};

/**
 * The number of the billing cycle that a time is in, by the calendar of India: the day, the week from Monday, the half of
 * a month, the month. Null for `as_presented`, which knows no cycles.
 */
export function billingCycle(frequency: Frequency, atMs: number): number | null {
  if (frequency === 'as_presented') return null;
  const india = new Date(atMs + indiaMs);
  const day = Math.floor(india.getTime() / dayMs);
  // 1970-01-01 was a Thursday.
  if (frequency === 'daily') return day;
  if (frequency === 'weekly') return Math.floor((day + 3) / 7);
  const month = india.getUTCFullYear() * 12 + india.getUTCMonth();
  if (frequency === 'fortnightly') return month * 2 + (india.getUTCDate() > 15 ? 1 : 0);
  return Math.floor(month / (months[frequency] ?? 1));
}

const timeSchema = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time like 09:30');
export const windowsSchema = z
  .array(z.tuple([timeSchema, timeSchema]).refine(([from, to]) => from < to, 'must end after it begins'))
  .min(1);

const minuteMs = 60_000;
function msOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes) * minuteMs;
}

/** The first time from `atMs` on that is inside one of the windows, which are times of day in India. */
export function nextInWindows(windows: z.infer<typeof windowsSchema>, atMs: number): number {
  const midnight = Math.floor((atMs + indiaMs) / dayMs) * dayMs - indiaMs;
  const starts = [0, 1].flatMap((days) =>
    windows.map(([from, to]) => ({
      from: midnight + days * dayMs + msOf(from),
      to: midnight + days * dayMs + msOf(to),
    })),
  );
  const open = starts.filter(({ to }) => to > atMs).map(({ from }) => Math.max(from, atMs));
  return Math.min(...open);
}
