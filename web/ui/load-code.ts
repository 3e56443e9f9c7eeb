import { type ComponentType, lazy, useSyncExternalStore } from 'react';
import { languageReady } from '#web/language/language.ts';

const retryAfterMs = 3_000;
const maxTries = 4;

/** A component whose code is loaded when it is first shown, with its texts in the language of the page. */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    const loaded = await loadCode(load);
    await languageReady();
    return { default: loaded };
  });
}

/**
 * Loads code of the pages. Without a connection it waits for one: what asked for it comes by itself, and the page stays as it is until then.
 * Throws only when the portal responds and doesn't have the code, as after an update.
 */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  for (let tries = 1; ; tries += 1)
    try {
      const code = await load();
      await pause();
      return code;
    } catch (error) {
      // The connection may come and go between the question whether it is there and the next try.
      if (tries === maxTries) throw error;
      await connection();
    }
}

/** Lets the browser paint and take input between running code and rendering with it, which on a phone takes a tenth of a second each. */
export async function pause(): Promise<void> {
  await (globalThis.scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve)));
}

/** Resolves when the portal can be reached. */
async function connection(): Promise<void> {
  change(waiting + 1);
  while (!(await isReachable())) await onlineOrPause();
  change(waiting - 1);
}

async function isReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(10_000);
    return (await fetch('/mark.svg', { method: 'HEAD', cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}

async function onlineOrPause(): Promise<void> {
  await new Promise<unknown>((resolve) => {
    window.addEventListener('online', resolve, { once: true });
    setTimeout(resolve, retryAfterMs);
  });
}

let waiting = 0;
const listeners = new Set<() => void>();

function change(next: number): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Is something waiting for the connection? */
export function useIsWaitingForCode(): boolean {
  return useSyncExternalStore(onWaitingForCode, isWaiting, isWaiting);
}

const isWaiting = () => waiting > 0;

/** Calls back when something begins to wait for the connection, or no longer does. Returns a function to unsubscribe. */
export function onWaitingForCode(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
