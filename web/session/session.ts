import { useSyncExternalStore } from 'react';
import { forgetKeptData } from '#web/session/kept-data.ts';
import { keptInBrowser, keptInTab } from '#web/session/storage.ts';
import { firstViewToken, forgetView, isView } from '#web/session/view.ts';

/**
 * The page stores the session token and sends it as Bearer (product §3.3). All tabs share it: signing out in one, or
 * being signed out by the server, ends it in all of them. Only a change to another customer leaves the other tabs as they are until they are loaded
 * again: somebody may be in the middle of something there.
 */
export const sessionKey = 'portal.session';
/** When Logout was last pressed, for the other tabs. */
const signedOutKey = 'portal.signed-out';

/** How a session ended: the customer pressed Logout here, pressed it or signed in anew in another tab, or the server no longer accepts it. */
export type SessionEnd = 'signed-out' | 'elsewhere' | 'expired';

export interface Session {
  token: string | null;
  /** Null: none has ended since the page was loaded. */
  endedBy: SessionEnd | null;
}

/** What storage held when this tab looked last. It stays null in a browser that refuses storage. */
const seen = {
  token: keptInBrowser.read(sessionKey),
  signedOut: keptInBrowser.read(signedOutKey),
  /** When this session began here. */
  signedOutBefore: keptInBrowser.read(signedOutKey),
};
let current: Session = { token: isView ? firstViewToken : seen.token, endedBy: null };
const listeners = new Set<() => void>();

/** The session as it is now. */
export function readSession(): Session {
  return current;
}

/** Keeps the token of a sign-in. */
export function beginSession(token: string): void {
  keepToken(token);
  change({ token, endedBy: null });
}

/** Has this tab kept its session while another one entered another customer? */
const isApart = (): boolean => current.token !== seen.token;

/** Forgets the token. With `onlyToken`, unless another sign-in has replaced that token in the meantime. */
export function endSession(endedBy: SessionEnd, onlyToken?: string): void {
  if (onlyToken !== undefined && onlyToken !== current.token) return;
  if (isView) {
    forgetView();
    change({ token: null, endedBy });
    return;
  }
  if (endedBy === 'expired' && isApart()) return follow(seen.token, endedBy);
  // What was typed survives a session that has expired.
  if (endedBy === 'signed-out') {
    keptInBrowser.keep(signedOutKey, String(Date.now()));
    seen.signedOut = keptInBrowser.read(signedOutKey);
    keptInTab.clear();
  }
  keepToken(null);
  change({ token: null, endedBy });
}

/** Calls back on every change; the returned function stops it. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The session, for components. */
export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, readSession, readSession);
}

function change(next: Session): void {
  if (!isView && next.token !== current.token) void forgetKeptData();
  current = next;
  if (next.token !== null) seen.signedOutBefore = seen.signedOut;
  for (const listener of listeners) listener();
}

function keepToken(token: string | null): void {
  keptInBrowser.keep(sessionKey, token);
  seen.token = keptInBrowser.read(sessionKey);
}

/** Takes over what another tab did. A view has nothing to do with the customer's own session in this browser. */
function look(): void {
  if (isView) return;
  const signedOut = keptInBrowser.read(signedOutKey);
  if (signedOut !== seen.signedOut) keptInTab.clear();
  seen.signedOut = signedOut;
  const token = keptInBrowser.read(sessionKey);
  // Loaded again, it is of the other customer.
  if (isApart()) keptInTab.clear();
  if (token === seen.token) return;
  // Nobody pressed Logout, so the other session is of the same person or of one whose own has ended, which the next call tells.
  const staysOn = current.token !== null && signedOut === seen.signedOutBefore && (token !== null || isApart());
  seen.token = token;
  if (staysOn) return;
  follow(token, signedOut === seen.signedOutBefore ? 'expired' : 'elsewhere');
}

function follow(token: string | null, endedBy: SessionEnd): void {
  // A tab that slept learns of a Logout and the next sign-in at once: its own session ends first, so that nothing of one customer stays for the next.
  const isReplaced = token !== null && current.token !== null && token !== current.token;
  if (isReplaced) setTimeout(() => seen.token === token && follow(token, endedBy));
  change(
    token === null || isReplaced
      ? { token: null, endedBy: isReplaced ? 'elsewhere' : endedBy }
      : { token, endedBy: null },
  );
}

// The server renders pages too. A tab that was frozen, or is shown again from the browser's cache, may have missed the event of storage.
if (typeof window !== 'undefined') {
  // It may have ended while no tab was open.
  if (!isView && current.token === null) void forgetKeptData();
  for (const type of ['storage', 'pageshow', 'pagehide', 'visibilitychange']) window.addEventListener(type, look);
}
