import { useSyncExternalStore } from 'react';

/** Does the browser have a network? */
export const useIsOnline = (): boolean => useSyncExternalStore(follow, () => navigator.onLine, onServer);

/** The page that the server renders comes over a network. */
const onServer = () => true;

function follow(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
