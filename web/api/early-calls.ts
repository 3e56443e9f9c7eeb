/** A call that the page's own text began before any code was there (before-page.js). */
export interface EarlyCall {
  address: string;
  /** Whose call it is: another sign-in may have come in between. */
  token: string;
  /** On the clock of `performance.now()`. */
  startedAt: number;
  answer: Promise<Response>;
}

declare global {
  var earlyCalls: EarlyCall[] | undefined;
}

/** Older early responses are requested again. */
const freshMs = 10_000;

/**
 * The response of a call that was started early, once; undefined when there is none, or it is for another session, or
 * too old.
 */
export function takeEarlyCall(address: string, token: string | null, now: number): Promise<Response> | undefined {
  const calls = globalThis.earlyCalls ?? [];
  const found = calls.find((call) => call.address === address);
  if (found === undefined) return undefined;
  globalThis.earlyCalls = calls.filter((call) => call !== found);
  return found.token === token && now - found.startedAt <= freshMs ? found.answer : undefined;
}
