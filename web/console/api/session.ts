import { useSyncExternalStore } from 'react';
import { keptInTab } from '#web/session/storage.ts';

/** Each tab has a session of its own, which ends with the tab. */
const storageKey = 'operator.session';

let token = keptInTab.read(storageKey);
const listeners = new Set<() => void>();

/** The token of the signed-in operator; null for nobody. */
export const readToken = (): string | null => token;

/** Keeps the token of a sign-in; null forgets it. */
export function keepToken(next: string | null): void {
  token = next;
  keptInTab.keep(storageKey, next);
  for (const listener of listeners) listener();
}

/** Calls back on every change; the returned function stops it. */
export function onTokenChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The token, for components. */
export const useToken = (): string | null => useSyncExternalStore(onTokenChange, readToken);
