/**
 * Calls per second, exactly: a sliding window that remembers the instants of the last `limit` admitted calls, so that no window
 * of one second, wherever it starts, ever holds more than `limit`. Times are milliseconds of one clock that never goes back.
 */

/** The length of the window. */
export const rateWindowMs = 1000;

/** The admitted calls of one activation; changed in place. */
export interface RateWindow {
  /** A ring of instants; its length is the limit. */
  instants: Float64Array;
  /** Where the oldest instant of the window stands. */
  oldest: number;
  /** How many instants are in the window. */
  used: number;
}

/** An empty window for `limit` calls per second; `limit` is a whole number from 1. */
export function createRateWindow(limit: number): RateWindow {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`a limit of ${limit} calls per second is none`);
  return { instants: new Float64Array(limit), oldest: 0, used: 0 };
}

/** Admits a call now and returns 0, or returns how many milliseconds to wait until one can be admitted. */
export function admitCall(window: RateWindow, nowMs: number): number {
  forgetOld(window, nowMs);
  const { instants, oldest, used } = window;
  if (used === instants.length) return (instants[oldest] ?? 0) + rateWindowMs - nowMs;
  instants[(oldest + used) % instants.length] = nowMs;
  window.used += 1;
  return 0;
}

/** How many calls could be admitted now. */
export function remainingCalls(window: RateWindow, nowMs: number): number {
  forgetOld(window, nowMs);
  return window.instants.length - window.used;
}

/** Milliseconds until the window is as empty as it was before its oldest call; 0 when it is empty. */
export function msUntilNextFree(window: RateWindow, nowMs: number): number {
  forgetOld(window, nowMs);
  return window.used === 0 ? 0 : (window.instants[window.oldest] ?? 0) + rateWindowMs - nowMs;
}

/** The same calls under another limit (a new plan): the newest ones are kept, so that changing plans admits none too many. */
export function withLimit(window: RateWindow, limit: number): RateWindow {
  const changed = createRateWindow(limit);
  const { instants, oldest, used } = window;
  for (let index = Math.max(0, used - limit); index < used; index += 1) {
    changed.instants[changed.used] = instants[(oldest + index) % instants.length] ?? 0;
    changed.used += 1;
  }
  return changed;
}

function forgetOld(window: RateWindow, nowMs: number): void {
  const { instants } = window;
  while (window.used > 0 && nowMs - (instants[window.oldest] ?? 0) >= rateWindowMs) {
    window.oldest = (window.oldest + 1) % instants.length;
    window.used -= 1;
  }
}
