import type { CycleDates } from '#shared/domain/cycle.ts';
import { type Day, addDays, daysBetween } from '#shared/domain/day.ts';
import { dayParts } from '#web/ui/localized-days.ts';

/** What a stretch of days is to the customer: paid or free and running, paid and to come, or not paid. */
export type CoverageKind = 'active' | 'prepaid' | 'pending';

/** One cycle on the track: the days [fromDate, toDate). */
export interface CoverageSegment extends CycleDates {
  id: string;
  name: string;
  kind: CoverageKind;
}

/** Where things stand on the track, in percent of its width. */
export interface CoverageLayout {
  months: { label: string; left: number }[];
  segments: { segment: CoverageSegment; left: number; width: number; lane: number }[];
  lanes: number;
  today: number;
}

/** More month names than this would run into each other. */
const maxMonthLabels = 6;
/** A month that begins so near the right edge has no room for its name. */
const lastLabelLeft = 92;

/** From the first day of a month to the end of a day, with places in percent. */
export interface TimeAxis {
  months: { label: string; left: number }[];
  today: number;
  percent: (day: Day) => number;
}

/** From the month in which the earliest of the days (or today) falls, to the latest of them or the end of today. */
export function timeAxis(days: readonly Day[], today: Day): TimeAxis {
  const sorted = [...days, today, addDays(today, 1)].toSorted();
  const first = firstOfMonth(sorted[0] ?? today);
  const last = sorted.at(-1) ?? today;
  const length = daysBetween(first, last);
  const percent = (day: Day) => round((daysBetween(first, day) * 100) / length);
  const months = monthLabels(first, last).flatMap(({ label, day }) => {
    const left = percent(day);
    return left <= lastLabelLeft ? [{ label, left }] : [];
  });
  return { months, today: percent(today), percent };
}

/** Places dates on an axis; those that share days get a lane each. */
export function placeInLanes<Segment extends CycleDates>(segments: readonly Segment[], { percent }: TimeAxis) {
  const laneEnds: Day[] = [];
  const placed = segments
    .toSorted((one, other) => one.fromDate.localeCompare(other.fromDate) || one.toDate.localeCompare(other.toDate))
    .map((segment) => {
      const free = laneEnds.findIndex((end) => end <= segment.fromDate);
      const lane = free === -1 ? laneEnds.length : free;
      laneEnds[lane] = segment.toDate;
      const left = percent(segment.fromDate);
      return { segment, left, width: round(percent(segment.toDate) - left), lane };
    });
  return { segments: placed, lanes: Math.max(1, laneEnds.length) };
}

/** Lays the cycles of an activation out. */
export function coverageLayout(segments: readonly CoverageSegment[], today: Day): CoverageLayout {
  const axis = timeAxis(
    segments.flatMap(({ fromDate, toDate }) => [fromDate, toDate]),
    today,
  );
  return { months: axis.months, today: axis.today, ...placeInLanes(segments, axis) };
}

/** The year stands at the first month and at each January. */
function monthLabels(first: Day, last: Day): { label: string; day: Day }[] {
  const starts: Day[] = [];
  for (let day = first; day < last; day = firstOfMonth(addDays(day, 31))) starts.push(day);
  const step = Math.ceil(starts.length / maxMonthLabels);
  return starts
    .filter((_, index) => index % step === 0)
    .map((day, index, shown) => {
      const { month, year } = dayParts(day);
      const before = shown[index - 1];
      return { day, label: before !== undefined && dayParts(before).year === year ? month : `${month} ${year}` };
    });
}

function firstOfMonth(day: Day): Day {
  return `${day.slice(0, 8)}01`;
}

function round(percent: number): number {
  return Math.round(percent * 100) / 100;
}
