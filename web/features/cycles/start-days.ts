import { type CycleDates, cycleFrom, overlaps } from '#domain/cycle.ts';
import type { Day } from '#domain/day.ts';

/** Can a cycle of `maxDays` start on this day without sharing a day with one that is paid or free? */
export function isStartDayFree(day: Day, maxDays: number, taken: readonly CycleDates[]): boolean {
  const cycle = cycleFrom(day, maxDays);
  return taken.every((other) => !overlaps(cycle, other));
}

/** The state of a calendar day for the cycle that would start. `end` is the first day that it no longer covers. */
export type RangePart = 'start' | 'inside' | 'end';

/** The part of a day; undefined outside, and everywhere while no start is chosen. */
export function rangePart(day: Day, start: Day | null, maxDays: number): RangePart | undefined {
  if (start === null) return undefined;
  const { toDate } = cycleFrom(start, maxDays);
  if (day === start) return 'start';
  if (day === toDate) return 'end';
  return day > start && day < toDate ? 'inside' : undefined;
}
