import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import classes from '#web/shell/offline-bar.module.css';
import { useLanguage } from '#web/language/use-language.ts';
import { shellTexts as texts } from '#web/shell/texts.ts';
import { useIsWaitingForCode } from '#web/ui/load-code.ts';

/** Shows that the page is offline, or waits for a portal that can't be reached, until that is over; what is loaded stays visible. */
export function OfflineBar() {
  useLanguage();
  const isOnline = useSyncExternalStore(onNetworkChange, () => navigator.onLine);
  const isWaiting = useIsWaitingForCode();
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

function onNetworkChange(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
