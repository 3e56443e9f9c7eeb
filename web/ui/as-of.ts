import { useSyncExternalStore } from 'react';

/** Of a response that the browser kept (public/offline.js): when the portal sent it (ISO 8601). */
export const asOfHeader = 'x-portal-as-of';

/** Of the oldest data shown since the portal could not be reached; null: it is what the portal sent now. */
let asOf: string | null = null;
const listeners = new Set<() => void>();

/** Notes of when a response is; null: of now. */
export function noteAsOf(instant: string | null): void {
  const next = instant !== null && asOf !== null && asOf < instant ? asOf : instant;
  if (next === asOf) return;
  asOf = next;
  for (const listener of listeners) listener();
}

export const readAsOf = (): string | null => asOf;

export const useAsOf = (): string | null => useSyncExternalStore(follow, readAsOf, () => null);

function follow(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
