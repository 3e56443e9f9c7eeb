import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import classes from '#web/shell/offline-bar.module.css';
import { useLanguage } from '#web/language/use-language.ts';
import { shellTexts as texts } from '#web/shell/texts.ts';

/** Shows that the page is offline until it is back online; loaded content stays visible and is then reloaded. */
export function OfflineBar() {
  useLanguage();
  const isOnline = useSyncExternalStore(onNetworkChange, () => navigator.onLine);
  return (
    // Rendered before it has text, so that screen readers announce the text.
    <output className={classes['place']}>
      {isOnline ? null : (
        <span className={classes['bar']}>
          <WifiOff size={16} aria-hidden="true" />
          {texts.offline}
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
