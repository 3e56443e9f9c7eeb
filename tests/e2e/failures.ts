import type { Page, Route } from '@playwright/test';
import type { Call } from '#shared/contract/call.ts';
import { type RefusalCode, refusals } from '#shared/contract/refusals.ts';

/** What can happen to a call before the page has its response. */
export const failures = ['internal', 'no-response', 'time-out', 'offline', 'not_found', 'forbidden'] as const;
export type Failure = (typeof failures)[number];

/** The message that the page shows for each. */
export const failureTexts: Record<Failure, string> = {
  internal: refusals.internal.message,
  'no-response': 'The portal could not be reached. Check the connection and try again.',
  'time-out': 'The portal took too long to respond. Try again.',
  offline: 'You are offline. Check the connection and try again.',
  not_found: refusals.not_found.message,
  forbidden: 'You do not have permission to perform this action.',
};

/** How many times faster than on the page a call times out here: 15 s become half a second, or minutes while calls are held. */
const hurry = { 'time-out': 30, hold: 1 / 30 };

/** Intercepts one call of the contract and treats it as last set. */
export interface Interception {
  /** From now on. `hold`: no response until the next change. */
  set: (what: Failure | 'unauthorized' | 'hold' | 'through') => Promise<void>;
}

/** Starts intercepting. Everything that is not a failure goes through to the real portal. */
export async function intercept(page: Page, call: Call): Promise<Interception> {
  let what: Failure | 'unauthorized' | 'hold' | 'through' = 'through';
  let held: Route[] = [];
  const path = call.path.replaceAll(/:\w+/g, '[^/?]+');
  await page.addInitScript(hurryTimeouts);

  const answer = async (route: Route): Promise<void> => {
    if (what === 'through') return route.continue();
    if (what === 'no-response' || what === 'offline') return route.abort('internetdisconnected');
    if (what === 'time-out') return;
    if (what === 'hold') return void held.push(route);
    return route.fulfill(problem(what));
  };
  await page.route(new RegExp(`/backend${path}(\\?.*)?$`), async (route) => {
    if (route.request().method() !== call.method) return route.fallback();
    // The page may be closed before its call gets a response.
    await answer(route).catch(() => {});
  });
  return {
    set: async (next) => {
      what = next;
      await page.context().setOffline(next === 'offline');
      await page.evaluate(
        (times) => void (document.documentElement.dataset['hurry'] = String(times)),
        next === 'time-out' || next === 'hold' ? hurry[next] : 1,
      );
      const waiting = held;
      held = [];
      await Promise.all(waiting.map((route) => answer(route).catch(() => {})));
    },
  };
}

/** Runs in the page: divides timeouts by the factor set on the document. */
function hurryTimeouts(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (ms) => timeout(ms / Number(document.documentElement.dataset['hurry'] ?? 1));
}

/** The portal's response when it refuses, or fails. */
export function problem(code: RefusalCode) {
  const { status, title, message } = refusals[code];
  const body = JSON.stringify({ type: 'about:blank', title, status, code, message, requestId: 'req-e2e' });
  return { status, contentType: 'application/problem+json', body };
}
