/**
 * Calls per second, exactly: a sliding window that remembers the instants of the last `limit` admitted calls, so that no window
 * of one second, wherever it starts, ever holds more than `limit`. Times are milliseconds of one clock that never goes back.
 */

/** The length of the window. */
export const rateWindowMs = 1000;

/** Most customers of a plan with thousands of calls per second make a few. */
const smallestRing = 8;

/** The admitted calls of one activation; changed in place. */
export interface RateWindow {
  /** Calls per second. */
  limit: number;
  /** A ring of instants, as long as it ever had to be, and never longer than the limit. */
  instants: Float64Array;
  /** Where the oldest instant of the window stands. */
  oldest: number;
  /** How many instants are in the window. */
  used: number;
}

/** An empty window for `limit` calls per second; `limit` is a whole number from 1. */
export function createRateWindow(limit: number): RateWindow {
  if (!Number.isInteger(limit) || limit < 1) throw new RangeError(`a limit of ${limit} calls per second is none`);
  return { limit, instants: new Float64Array(Math.min(limit, smallestRing)), oldest: 0, used: 0 };
}

/** Admits a call now and returns 0, or returns how many milliseconds to wait until one can be admitted. */
export function admitCall(window: RateWindow, nowMs: number): number {
  forgetOld(window, nowMs);
  if (window.used === window.limit) return (window.instants[window.oldest] ?? 0) + rateWindowMs - nowMs;
  if (window.used === window.instants.length) grow(window);
  const { instants, oldest, used } = window;
  instants[(oldest + used) % instants.length] = nowMs;
  window.used += 1;
  return 0;
}

/** How many calls could be admitted now. */
export function remainingCalls(window: RateWindow, nowMs: number): number {
  forgetOld(window, nowMs);
  return window.limit - window.used;
}

/** Milliseconds until the window is as empty as it was before its oldest call; 0 when it is empty. */
export function msUntilNextFree(window: RateWindow, nowMs: number): number {
  forgetOld(window, nowMs);
  return window.used === 0 ? 0 : (window.instants[window.oldest] ?? 0) + rateWindowMs - nowMs;
}

/** The same calls under another limit (a new plan): the newest ones are kept, so that changing plans admits none too many. */
export function withLimit(window: RateWindow, limit: number): RateWindow {
  const changed = createRateWindow(limit);
  const kept = instantsOf(window).subarray(Math.max(0, window.used - limit));
  if (kept.length > changed.instants.length) changed.instants = new Float64Array(kept.length);
  changed.instants.set(kept);
  changed.used = kept.length;
  return changed;
}

/** The instants of the window, oldest first. */
function instantsOf({ instants, oldest, used }: RateWindow): Float64Array {
  return Float64Array.from({ length: used }, (_, index) => instants[(oldest + index) % instants.length] ?? 0);
}

function grow(window: RateWindow): void {
  const longer = new Float64Array(Math.min(window.limit, window.instants.length * 2));
  longer.set(instantsOf(window));
  window.instants = longer;
  window.oldest = 0;
}

function forgetOld(window: RateWindow, nowMs: number): void {
  const { instants } = window;
  while (window.used > 0 && nowMs - (instants[window.oldest] ?? 0) >= rateWindowMs) {
    window.oldest = (window.oldest + 1) % instants.length;
    window.used -= 1;
  }
}
