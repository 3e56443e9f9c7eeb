import { WifiOff } from 'lucide-react';
import classes from '#web/ui/offline-bar.module.css';
import { useLanguage } from '#web/language/use-language.ts';
import { useAsOf } from '#web/ui/as-of.ts';
import { useIsWaitingForCode } from '#web/ui/load-code.ts';
import { useIsOnline } from '#web/ui/online.ts';
import { uiTexts as texts } from '#web/ui/texts.ts';

const indiaMs = 19_800_000;
/** The time in India, with the day when that is not today. Without the pages' own days, which the sign-in page would load for it. */
function shownTime(instant: string): string {
  const [at = '', today = ''] = [Date.parse(instant), Date.now()].map((ms) => new Date(ms + indiaMs).toISOString());
  return at.slice(0, 10) === today.slice(0, 10) ? at.slice(11, 16) : at.slice(0, 16).replace('T', ', ');
}

/**
 * Shows that the page is offline, or waits for a portal that can't be reached, until that is over; what is loaded stays visible.
 * `isStale`: something on screen could not be read again.
 */
export function OfflineBar({ isStale = false }: { isStale?: boolean }) {
  useLanguage();
  const isOnline = useIsOnline();
  const asOf = useAsOf();
  const isWaitingForCode = useIsWaitingForCode();
  const isWaiting = isWaitingForCode || isStale || asOf !== null;
  const said = isOnline ? texts.unreachable : texts.offline;
  return (
    // Rendered before it has text, so that screen readers announce the text.
    <output className={classes['place']}>
      {isOnline && !isWaiting ? null : (
        <span className={classes['bar']}>
          <WifiOff size={16} aria-hidden="true" />
          {asOf === null ? said.waits : said.asOf(shownTime(asOf))}
        </span>
      )}
    </output>
  );
}
