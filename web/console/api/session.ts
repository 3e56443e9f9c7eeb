import { useSyncExternalStore } from 'react';
import { consolePrefix, keptInTab } from '#web/session/storage.ts';

/** Each tab has a session of its own, which ends with the tab. */
const storageKey = `${consolePrefix}session`;

interface Session {
  /** Null for nobody. */
  token: string | null;
  /** The server ended it; nobody pressed Sign out. */
  hasExpired: boolean;
}

let session: Session = { token: keptInTab.read(storageKey), hasExpired: false };
const listeners = new Set<() => void>();

/** The token of the signed-in operator; null for nobody. */
export const readToken = (): string | null => session.token;

const readSession = (): Session => session;

/** Keeps the token of a sign-in; null forgets it. */
export const keepToken = (token: string | null): void => change({ token, hasExpired: false });

/** The server doesn't accept a token any more. Another sign-in may have replaced it meanwhile. */
export function expireToken(token: string): void {
  if (session.token === token) change({ token: null, hasExpired: true });
}

function change(next: Session): void {
  session = next;
  keptInTab.keep(storageKey, next.token);
  for (const listener of listeners) listener();
}

/** Calls back on every change; the returned function stops it. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The session, for components. */
export const useSession = (): Session => useSyncExternalStore(onSessionChange, readSession);
