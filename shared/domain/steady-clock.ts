import { addDays, type Day, dayOf, startOfDay } from './day.ts';

/** A clock that never goes back to an earlier day: it waits until the machine's clock has caught up. */
export interface SteadyClock {
  /** Epoch milliseconds. */
  now: () => number;
  /** The latest day reached, here or in another process. */
  reached: () => Day;
  /** Another process has reached a day. */
  reach: (day: Day) => void;
  /** The clock is set on purpose: the reached day no longer counts. */
  forget: () => void;
  /** True while it waits for the machine's clock. */
  isWaiting: () => boolean;
}

/**
 * Machine clocks go back: by seconds for a correction, or by days when somebody sets them wrong. Plans, quotas and
 * documents depend on billing days, so a day that has begun never returns to the previous one; within a day time may
 * step back.
 */
export function createSteadyClock(source: () => number): SteadyClock {
  let day = dayOf(source());
  let startsAt = startOfDay(day);
  let endsAt = startOfDay(addDays(day, 1));
  const enter = (next: Day): void => {
    day = next;
    startsAt = startOfDay(day);
    endsAt = startOfDay(addDays(day, 1));
  };
  const look = (): number => {
    const at = source();
    if (at >= endsAt) enter(dayOf(at));
    return at;
  };
  return {
    now: () => Math.max(look(), startsAt),
    reached: () => {
      look();
      return day;
    },
    reach: (other) => {
      if (other > day) enter(other);
    },
    forget: () => enter(dayOf(source())),
    isWaiting: () => look() < startsAt,
  };
}
