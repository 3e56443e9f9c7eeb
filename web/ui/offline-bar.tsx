import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import classes from '#web/ui/offline-bar.module.css';
import { useLanguage } from '#web/language/use-language.ts';
import { useIsWaitingForCode } from '#web/ui/load-code.ts';
import { uiTexts as texts } from '#web/ui/texts.ts';

/**
 * Shows that the page is offline, or waits for a portal that can't be reached, until that is over; what is loaded stays visible.
 * `isStale`: something on screen could not be read again.
 */
export function OfflineBar({ isStale = false }: { isStale?: boolean }) {
  useLanguage();
  const isOnline = useSyncExternalStore(onNetworkChange, () => navigator.onLine, onServer);
  const isWaitingForCode = useIsWaitingForCode();
  const isWaiting = isWaitingForCode || isStale;
  return (
    // Rendered before it has text, so that screen readers announce the text.
    <output className={classes['place']}>
      {isOnline && !isWaiting ? null : (
        <span className={classes['bar']}>
          <WifiOff size={16} aria-hidden="true" />
          {isOnline ? texts.unreachable : texts.offline}
        </span>
      )}
    </output>
  );
}

/** The page that the server renders comes over a network. */
const onServer = () => true;

function onNetworkChange(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
