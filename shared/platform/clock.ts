/**
 * Returns the current time in epoch milliseconds. Rules take one as an argument, so tests and stand-ins can move time.
 */
export type Clock = () => number;

/** The machine's own clock; only a process's main module passes it on. */
export const systemClock: Clock = () => Date.now();
