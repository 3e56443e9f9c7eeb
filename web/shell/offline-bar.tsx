import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import classes from '#web/shell/offline-bar.module.css';
import { useLanguage } from '#web/language/use-language.ts';
import { shellTexts as texts } from '#web/shell/texts.ts';

/** Says that there is no network, until there is; what was read stays on screen and is read again then. */
export function OfflineBar() {
  useLanguage();
  const isOnline = useSyncExternalStore(onNetworkChange, () => navigator.onLine);
  return (
    // It stands there before it speaks, so that screen readers hear its words.
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
