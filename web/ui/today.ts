import { useSyncExternalStore } from 'react';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { onServerTime, serverNow } from '#web/ui/server-time.ts';

const checkEveryMs = 15_000;

/** Today in IST by the server's clock (product §4.9), whatever that of the browser says; the page turns with it at midnight. */
export function useToday(): Day {
  return useSyncExternalStore(subscribe, today, today);
}

const today = () => dayOf(serverNow());

function subscribe(onChange: () => void): () => void {
  const timer = window.setInterval(onChange, checkEveryMs);
  const unsubscribe = onServerTime(onChange);
  return () => {
    window.clearInterval(timer);
    unsubscribe();
  };
}
