import { useSyncExternalStore } from 'react';
import { keptInBrowser } from '#web/session/storage.ts';

/**
 * The page stores the session token and sends it as Bearer (product §3.3). All tabs share it: signing out in one, or
 * being signed out by the server, ends it in all of them.
 */
const storageKey = 'portal.session';

/** How a session ended: the customer pressed Logout, it ended in another tab, or the server no longer accepts it. */
export type SessionEnd = 'signed-out' | 'elsewhere' | 'expired';

export interface Session {
  token: string | null;
  /** Null: none has ended since the page was loaded. */
  endedBy: SessionEnd | null;
}

let current: Session = { token: keptInBrowser.read(storageKey), endedBy: null };
const listeners = new Set<() => void>();

/** The session as it is now. */
export function readSession(): Session {
  return current;
}

/** Keeps the token of a sign-in. */
export function beginSession(token: string): void {
  keptInBrowser.keep(storageKey, token);
  change({ token, endedBy: null });
}

/** Forgets the token. With `onlyToken`, unless another sign-in has replaced that token in the meantime. */
export function endSession(endedBy: SessionEnd, onlyToken?: string): void {
  if (onlyToken !== undefined && onlyToken !== current.token) return;
  keptInBrowser.keep(storageKey, null);
  change({ token: null, endedBy });
}

/** Calls back on every change; the returned function stops it. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The session, for components. */
export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, readSession);
}

function change(next: Session): void {
  current = next;
  for (const listener of listeners) listener();
}

window.addEventListener('storage', (event) => {
  // A null key: the whole storage was cleared.
  if (event.key !== storageKey && event.key !== null) return;
  const token = keptInBrowser.read(storageKey);
  change({ token, endedBy: token === null ? 'elsewhere' : null });
});
