import {
  type CycleDates,
  cycleFrom,
  grantsAccess,
  overlaps,
  phaseOf,
  type StoredStatus,
} from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';

/** The days of a plan that replaces a running one, and whether that one ends with it. */
export interface PlanSwitch {
  dates: CycleDates;
  endsReplaced: boolean;
}

/**
 * What a switch of plans does on a day (product §4.21): the new plan starts on it with all its days, and the replaced one
 * ends if it still runs. Undefined when another plan covers some of those days: a switch starts at once or not at all, so its
 * payment is refunded. `others`: the cycles that give access, without the replaced one.
 */
export function planSwitch(
  maxDays: number,
  replaced: CycleDates & { status: StoredStatus },
  others: readonly CycleDates[],
  today: Day,
): PlanSwitch | undefined {
  const dates = cycleFrom(today, maxDays);
  if (others.some((other) => overlaps(other, dates))) return undefined;
  const endsReplaced = grantsAccess(replaced.status) && phaseOf(replaced, today) === 'running';
  // A replaced cycle that has not begun would be in the way: only a running one is ever replaced.
  if (!endsReplaced && grantsAccess(replaced.status) && overlaps(replaced, dates)) return undefined;
  return { dates, endsReplaced };
}
