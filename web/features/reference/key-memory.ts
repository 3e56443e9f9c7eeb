import { useSyncExternalStore } from 'react';
import { onSessionChange } from '#web/session/session.ts';

/**
 * The keys that the customer has put in for trying calls, one for each product. They live in the memory of this page and
 * nowhere else: a reload, a closed tab or a sign-out forgets them, and they go to the gateway alone.
 */
const keys = new Map<string, string>();
const listeners = new Set<() => void>();

onSessionChange(() => {
  keys.clear();
  tell();
});

export function useRememberedKey(productId: string): [key: string, remember: (key: string) => void] {
  const read = () => keys.get(productId) ?? '';
  const key = useSyncExternalStore(listen, read, read);
  return [
    key,
    (typed) => {
      keys.set(productId, typed.trim());
      tell();
    },
  ];
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(): void {
  for (const listener of listeners) listener();
}
