import { useSyncExternalStore } from 'react';

/**
 * The page stores the session token and sends it as Bearer (product §3.3). All tabs share it: signing out in one, or
 * being signed out by the server, ends it in all of them.
 */
const storageKey = 'portal.session';

/** Why there is no token: the customer pressed Logout, or the server no longer accepts it (or there never was one). */
export type SessionEnd = 'signed-out' | 'expired';

export interface Session {
  token: string | null;
  endedBy: SessionEnd;
}

let current: Session = { token: localStorage.getItem(storageKey), endedBy: 'expired' };
const listeners = new Set<() => void>();

/** The session as it is now. */
export function readSession(): Session {
  return current;
}

/** Keeps the token of a sign-in. */
export function beginSession(token: string): void {
  localStorage.setItem(storageKey, token);
  change({ token, endedBy: 'expired' });
}

/** Forgets the token. With `onlyToken`, unless another sign-in has replaced that token in the meantime. */
export function endSession(endedBy: SessionEnd, onlyToken?: string): void {
  if (onlyToken !== undefined && onlyToken !== current.token) return;
  localStorage.removeItem(storageKey);
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
  change({ token: localStorage.getItem(storageKey), endedBy: 'signed-out' });
});
