import { addDays, type Day, dayOf, startOfDay } from './day.ts';

/** A clock that never goes back behind a day that was reached: there it waits until the machine's has caught up. */
export interface SteadyClock {
  /** Epoch milliseconds. */
  now: () => number;
  /** The latest day that was reached, here or as others told. */
  reached: () => Day;
  /** Somebody else has reached a day. */
  reach: (day: Day) => void;
  /** The clock is set on purpose: what was reached no longer counts. */
  forget: () => void;
  /** Does it wait for the machine's clock right now? */
  isWaiting: () => boolean;
}

/**
 * Machines' clocks go back: by the seconds of a correction, or by days when somebody sets them wrong. Billing days are what plans,
 * quotas and documents hang on, so a day that has begun is never left again; within a day time may step back.
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
