import { admitCall, createRateWindow, type RateWindow, remainingCalls } from '#shared/domain/rate-limit.ts';

/** Limits requests per second that take nothing from a plan: test calls of a customer, and usage requests of a key. */
export interface RateLimiter {
  limit: number;
  /** Returns 0 if the call is admitted, else the milliseconds to wait. */
  admit: (name: string) => number;
}

/** Idle windows are evicted above this number. */
const maxIdleWindows = 20_000;

/** `now`: milliseconds of a monotonic clock. */
export function createRateLimiter(limit: number, now: () => number = () => performance.now()): RateLimiter {
  const windows = new Map<string, RateWindow>();
  let evictAt = maxIdleWindows;

  /** Evicting a window that has calls in it would reset its limit, so only idle ones go; the map grows if needed. */
  const evictIdle = (nowMs: number): void => {
    for (const [name, window] of windows) if (remainingCalls(window, nowMs) === limit) windows.delete(name);
    evictAt = Math.max(maxIdleWindows, windows.size * 2);
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
