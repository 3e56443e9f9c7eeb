import type { Activation } from '#contract/activations.ts';
import type { Cycle } from '#contract/cycles.ts';
import { formatNumber } from '#domain/number-text.ts';
import classes from '#web/features/marketplace/activation-card.module.css';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import { dayText } from '#web/ui/day-text.ts';
import { LinkCard } from '#web/ui/link-card.tsx';
import { ProductMark } from '#web/ui/product-mark.tsx';
import { QuotaMeter } from '#web/ui/quota-meter.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** An activation with today's usage, its plan and billing status (product §2.7). */
export function ActivationCard({ activation }: { activation: Activation }) {
  const { id, service, dailyUse, billingStatus } = activation;
  // The status is that of the first cycle (product §2.7).
  const cycle = activation.billingCycles[0];
  return (
    <LinkCard
      to={`/activations/${id}`}
      foot={
        <>
          <span className="strong">{cycle?.planName ?? texts.noPlanYet}</span>
          {cycle === undefined ? null : (
            <>
              <StatusBadge status={billingStatus} />
              <span className={classes.until}>{untilText(cycle)}</span>
            </>
          )}
        </>
      }
    >
      <div className={classes.body}>
        <div className={classes.head}>
          <ProductMark productId={service.id} />
          <div className={classes.words}>
            <h2 className={classes.name}>{service.name}</h2>
            <div className="mono dim">{id}</div>
          </div>
          <StatusBadge status="ACTIVATED" />
        </div>
        {dailyUse === null ? (
          <p className={classes.none}>{texts.noPlanRunning}</p>
        ) : (
          <>
            <div className={classes.use}>
              <span className="dim">{texts.requestsToday}</span>
              <span className="num">
                <b className="strong">{formatNumber(dailyUse.quotaUsed)}</b>{' '}
                <span className="dim">/ {formatNumber(dailyUse.quotaLimit)}</span>
              </span>
            </div>
            <QuotaMeter used={dailyUse.quotaUsed} limit={dailyUse.quotaLimit} label={texts.requestsToday} small />
          </>
        )}
      </div>
    </LinkCard>
  );
}

function untilText({ phase, fromDate, toDate }: Cycle): string {
  if (phase === 'upcoming') return texts.starts(dayText(fromDate));
  return phase === 'over' ? texts.ended(dayText(toDate)) : texts.ends(dayText(toDate));
}
