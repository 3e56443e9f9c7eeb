/**
 * Returns the current time in epoch milliseconds. Rules take one as an argument, so tests and stand-ins can move time.
 */
export type Clock = () => number;

/** The clocks of machines that work together differ by less. */
export const clockSkewMs = 5 * 60_000;

/** How long ago something happened, by a machine's clock; infinitely long when that is still to come: a wrong clock wrote it, or somebody changed it. */
export function ageOf(at: Date, nowMs: number): number {
  const ageMs = nowMs - at.getTime();
  return ageMs < -clockSkewMs ? Infinity : Math.max(0, ageMs);
}

/** The machine's own clock; only a process's main module passes it on. */
export const systemClock: Clock = () => Date.now();
