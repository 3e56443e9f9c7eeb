import type { QuotaUse } from '#shared/contract/values.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { developersTexts as texts } from '#web/features/activations/texts.ts';
import classes from '#web/features/activations/todays-use.module.css';
import { QuotaMeter } from '#web/ui/quota-meter.tsx';

/** Today's use of an API against its daily quota, small. */
export function TodaysUse({ service, use }: { service: string; use: QuotaUse }) {
  return (
    <div>
      <div className={classes.figures}>
        <span className="dim">{texts.today}</span>
        <span className="num">
          <b className="strong">{formatNumber(use.quotaUsed)}</b>{' '}
          <span className="dim">/ {formatNumber(use.quotaLimit)}</span>
        </span>
      </div>
      <QuotaMeter used={use.quotaUsed} limit={use.quotaLimit} label={texts.requestsToday(service)} small />
    </div>
  );
}
