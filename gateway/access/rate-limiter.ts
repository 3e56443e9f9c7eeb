import { admitCall, createRateWindow, type RateWindow, remainingCalls } from '#domain/rate-limit.ts';

/** Calls per second whose calls take nothing from a plan: those of a customer's test keys, and questions about usage of a key. */
export interface RateLimiter {
  limit: number;
  /** Admits a call under a name and gives 0, or gives the milliseconds to wait. */
  admit: (name: string) => number;
}

/** From so many windows on those that are idle are evicted. */
const manyWindows = 20_000;

/** `now`: milliseconds of a clock that never goes back. */
export function createRateLimiter(limit: number, now: () => number = () => performance.now()): RateLimiter {
  const windows = new Map<string, RateWindow>();
  let evictAt = manyWindows;

  /** An idle window is as good as none. One that limits somebody stays, or the limit would begin again: the map grows instead. */
  const evictIdle = (nowMs: number): void => {
    for (const [name, window] of windows) if (remainingCalls(window, nowMs) === limit) windows.delete(name);
    evictAt = Math.max(manyWindows, windows.size * 2);
  };

  return {
    limit,
    admit: (name) => {
      const nowMs = now();
      let window = windows.get(name);
      if (window === undefined) {
        if (windows.size >= evictAt) evictIdle(nowMs);
        windows.set(name, (window = createRateWindow(limit)));
      }
      return admitCall(window, nowMs);
    },
  };
}
