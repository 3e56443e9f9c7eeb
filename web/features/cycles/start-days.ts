import { type CycleDates, cycleFrom, overlaps } from '#shared/domain/cycle.ts';
import { type Day, addDays } from '#shared/domain/day.ts';

/** Can a cycle of `maxDays` start on this day without sharing a day with one that is paid or free? */
export function isStartDayFree(day: Day, maxDays: number, taken: readonly CycleDates[]): boolean {
  const cycle = cycleFrom(day, maxDays);
  return taken.every((other) => !overlaps(cycle, other));
}

/** Why a day cannot be the start: a cycle covers it, or one begins before this cycle would end. Undefined when it is free. */
export function whyTaken<C extends CycleDates>(
  day: Day,
  maxDays: number,
  taken: readonly C[],
): { cycle: C; covers: boolean } | undefined {
  const covering = taken.find((cycle) => cycle.fromDate <= day && day < cycle.toDate);
  if (covering !== undefined) return { cycle: covering, covers: true };
  const next = taken.filter((cycle) => overlaps(cycleFrom(day, maxDays), cycle));
  const [first] = next.toSorted((a, b) => a.fromDate.localeCompare(b.fromDate));
  return first && { cycle: first, covers: false };
}

/** The state of a calendar day for the cycle that would start. `end` is the last day that it covers. */
export type RangePart = 'start' | 'inside' | 'end';

/** The part of a day; undefined outside, and everywhere while no start is chosen. */
export function rangePart(day: Day, start: Day | null, maxDays: number): RangePart | undefined {
  if (start === null) return undefined;
  const last = addDays(cycleFrom(start, maxDays).toDate, -1);
  if (day === start) return 'start';
  if (day === last) return 'end';
  return day > start && day < last ? 'inside' : undefined;
}
