import { addDays, type Day, dayOf, startOfDay } from '#shared/domain/day.ts';
import type { Clock } from '#shared/platform/clock.ts';

/** When a call is admitted. */
export interface Moment {
  nowMs: number;
  day: Day;
  dayEndsAt: number;
}

/** The current time with its IST day, which is computed only when it changes. */
export function createMoment(now: Clock): () => Moment {
  let day = dayOf(now());
  let startsAt = startOfDay(day);
  let dayEndsAt = startOfDay(addDays(day, 1));
  return () => {
    const nowMs = now();
    if (nowMs < startsAt || nowMs >= dayEndsAt) {
      day = dayOf(nowMs);
      startsAt = startOfDay(day);
      dayEndsAt = startOfDay(addDays(day, 1));
    }
    return { nowMs, day, dayEndsAt };
  };
}
