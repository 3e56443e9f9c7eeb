/**
 * Calls per second, exactly: a sliding window with the times of the last `limit` admitted calls, so that any window of
 * one second has at most `limit`. Times are milliseconds of one clock that never goes back.
 */

/** The most that a plan, or an operator, can allow. */
export const maxCallsPerSecond = 100_000;

/** The length of the window. */
export const rateWindowMs = 1000;

/** The initial capacity: most customers of a plan with thousands of calls per second make a few. */
const smallestRing = 8;

/** The admitted calls of one activation; changed in place. */
export interface RateWindow {
  /** Calls per second. */
  limit: number;
  /** A ring buffer of times that grows as needed, up to the limit. */
  instants: Float64Array;
  /** The index of the oldest time in the window. */
  oldest: number;
  /** The number of times in the window. */
  used: number;
  /** Admitted calls that have not begun yet: each takes a place until it begins, and for one second after that. */
  held: number;
}

/** An empty window for `limit` calls per second; `limit` is a whole number from 1. */
export function createRateWindow(limit: number): RateWindow {
  if (!Number.isInteger(limit) || limit < 1)
    throw new RangeError(`the limit must be a positive integer, got ${limit} calls per second`);
  return { limit, instants: new Float64Array(Math.min(limit, smallestRing)), oldest: 0, used: 0, held: 0 };
}

/** Admits a call now and returns 0, or returns the milliseconds until the next one can be admitted. */
export function admitCall(window: RateWindow, nowMs: number): number {
  forgetOld(window, nowMs);
  if (window.used + window.held >= window.limit) return msUntilPlace(window, nowMs);
  push(window, nowMs);
  return 0;
}

/**
 * The call that was admitted last has to wait for something else. It keeps its place until `beginHeld`, however long
 * that takes.
 */
export function holdLast(window: RateWindow): void {
  window.used -= 1;
  window.held += 1;
}

/** A held call begins now, or is dropped: its second starts. */
export function beginHeld(window: RateWindow, nowMs: number): void {
  forgetOld(window, nowMs);
  window.held -= 1;
  // If the limit was lowered in the meantime, the newest calls are kept, as in `withLimit`.
  if (window.used >= window.limit) dropOldest(window);
  push(window, nowMs);
}

function msUntilPlace({ used, instants, oldest }: RateWindow, nowMs: number): number {
  // A held call may begin at any time; its place is free one second after that.
  return used === 0 ? rateWindowMs : (instants[oldest] ?? 0) + rateWindowMs - nowMs;
}

function push(window: RateWindow, nowMs: number): void {
  if (window.used === window.instants.length) grow(window);
  const { instants, oldest, used } = window;
  instants[(oldest + used) % instants.length] = nowMs;
  window.used += 1;
}

/** How many calls could be admitted now. */
export function remainingCalls(window: RateWindow, nowMs: number): number {
  forgetOld(window, nowMs);
  return Math.max(0, window.limit - window.used - window.held);
}

/** Milliseconds until the oldest call leaves the window; 0 when it is empty. */
export function msUntilNextFree(window: RateWindow, nowMs: number): number {
  forgetOld(window, nowMs);
  return window.used === 0 ? 0 : (window.instants[window.oldest] ?? 0) + rateWindowMs - nowMs;
}

/**
 * The same calls under another limit (a new plan): the newest ones are kept, so that changing plans never admits too
 * many.
 */
export function withLimit(window: RateWindow, limit: number): RateWindow {
  const changed = createRateWindow(limit);
  const kept = instantsOf(window).subarray(Math.max(0, window.used - limit));
  if (kept.length > changed.instants.length) changed.instants = new Float64Array(kept.length);
  changed.instants.set(kept);
  changed.used = kept.length;
  changed.held = window.held;
  return changed;
}

/** The times in the window, oldest first. */
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
    dropOldest(window);
  }
}

function dropOldest(window: RateWindow): void {
  window.oldest = (window.oldest + 1) % window.instants.length;
  window.used -= 1;
}
