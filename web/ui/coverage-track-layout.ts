import { type Day, addDays, daysBetween } from '#shared/domain/day.ts';
import { dayParts } from '#web/ui/localized-days.ts';

/** What a stretch of days is to the customer: paid or free and running, paid and to come, or not paid. */
export type CoverageKind = 'active' | 'prepaid' | 'pending';

/** One cycle on the track: the days [fromDate, toDate). */
export interface CoverageSegment {
  id: string;
  name: string;
  fromDate: Day;
  toDate: Day;
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

/**
 * Lays cycles out from the first day of the month in which the earliest of them (or today) falls, to the last day of the
 * last one (or today). Cycles that share days, which unpaid ones may, get a lane each.
 */
export function coverageLayout(segments: readonly CoverageSegment[], today: Day): CoverageLayout {
  const sorted = segments.toSorted((a, b) => a.fromDate.localeCompare(b.fromDate) || a.toDate.localeCompare(b.toDate));
  const first = firstOfMonth([today, ...sorted.map((segment) => segment.fromDate)].toSorted()[0] ?? today);
  const last = [addDays(today, 1), ...sorted.map((segment) => segment.toDate)].toSorted().at(-1) ?? addDays(today, 1);
  const length = daysBetween(first, last);
  const percent = (day: Day) => round((daysBetween(first, day) * 100) / length);

  const laneEnds: Day[] = [];
  const placed = sorted.map((segment) => {
    const free = laneEnds.findIndex((end) => end <= segment.fromDate);
    const lane = free === -1 ? laneEnds.length : free;
    laneEnds[lane] = segment.toDate;
    const left = percent(segment.fromDate);
    return { segment, left, width: round(percent(segment.toDate) - left), lane };
  });
  return {
    months: monthLabels(first, last).flatMap(({ label, day }) => {
      const left = percent(day);
      return left <= lastLabelLeft ? [{ label, left }] : [];
    }),
    segments: placed,
    lanes: Math.max(1, laneEnds.length),
    today: percent(today),
  };
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
