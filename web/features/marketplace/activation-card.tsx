import { CircleAlert } from 'lucide-react';
import type { Activation } from '#shared/contract/activations.ts';
import type { Cycle } from '#shared/contract/cycles.ts';
import { isUnpaid, takenBy } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { daysOf } from '#web/ui/cycle-days.ts';
import { refusedText } from '#web/features/cycles/refused-text.ts';
import classes from '#web/features/marketplace/activation-card.module.css';
import { marketplaceTexts as texts } from '#web/features/marketplace/texts.ts';
import { dayText, endText } from '#web/ui/localized-days.ts';
import { LinkCard } from '#web/ui/link-card.tsx';
import { ProductMark } from '#web/ui/product-mark.tsx';
import { QuotaMeter } from '#web/ui/quota-meter.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useToday } from '#web/ui/today.ts';

/** An activation with today's usage, its plan and billing status (product §2.7). */
export function ActivationCard({ activation }: { activation: Activation }) {
  const { id, service, dailyUse, billingStatus } = activation;
  // The status is that of the first cycle (product §2.7).
  const cycle = activation.billingCycles[0];
  const today = useToday();
  const refused = refusedText(activation.callsRefused, today);
  return (
    <LinkCard
      to={`/activations/${id}`}
      foot={
        <>
          <span className="strong">{cycle?.planName ?? texts.noPlanYet}</span>
          {cycle === undefined ? null : (
            <>
              <StatusBadge status={billingStatus} granted={cycle.granted} />
              <span className={classes.until}>{untilText(activation, cycle, today)}</span>
            </>
          )}
        </>
      }
    >
      <div className={classes.body}>
        <div className={classes.head}>
          <ProductMark of={service} />
          <div className={classes.words}>
            <h2 className={classes.name}>{service.name}</h2>
            <div className="mono dim">{id}</div>
          </div>
          <StatusBadge status="ACTIVATED" isMuted={refused !== undefined} />
        </div>
        {refused === undefined ? null : (
          <p className={classes.refused}>
            <CircleAlert size={16} aria-hidden="true" />
            {refused}
          </p>
        )}
        {dailyUse === null ? null : (
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

function untilText(activation: Activation, cycle: Cycle, today: Day): string {
  if (isUnpaid(cycle)) return daysOf(cycle, today, takenBy(activation.billingCycles, today));
  const { phase, fromDate, toDate } = cycle;
  if (phase === 'upcoming') return texts.starts(dayText(fromDate));
  const end = endText(toDate, today);
  return phase === 'over' ? texts.ended(end) : texts.ends(end);
}
