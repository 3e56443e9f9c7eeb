import { Title } from '@mantine/core';
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router';
import type { Usage } from '#shared/contract/usage.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import type { QuotaPace } from '#shared/domain/quota-pace.ts';
import { usageTexts as texts } from '#web/features/usage/texts.ts';
import classes from '#web/features/usage/usage-panel.module.css';
import { instantText, timeText } from '#web/ui/localized-days.ts';
import { type QuotaSpan, quotaLevel, quotaName, quotaShare, quotaWarning } from '#web/ui/quota-meter-level.ts';
import { uiTexts } from '#web/ui/texts.ts';
import { QuotaMeter } from '#web/ui/quota-meter.tsx';
import { useMay } from '#web/roles/use-role.ts';

interface QuotaPanelProps {
  activationId: string;
  span: QuotaSpan;
  use: Usage['insights']['dailyUse'];
  /** The quota counts units, not calls. */
  inUnits: boolean;
  /** A pack can be added to the running plan. */
  canRecharge: boolean;
  /** Which day or how far in the cycle. */
  when: string;
  pace: QuotaPace;
  /** Said once this quota is the reason why calls are refused. */
  refused: string | undefined;
}

/** One quota: number, limit, percent, meter, reset time, and the warning in the footer (product §7.2). */
export function QuotaPanel({ activationId, span, use, inUnits, canRecharge, when, pace, refused }: QuotaPanelProps) {
  const level = quotaLevel(use.quotaUsed, use.quotaLimit);
  const may = useMay();
  const warning = quotaWarning(span, level);
  const Icon = level === 'danger' ? CircleAlert : TriangleAlert;
  return (
    <section className={classes.quota}>
      <div className={classes.top}>
        <Title order={2} size="h3">
          {quotaName(span)}
        </Title>
        <span className="caption dim num">{when}</span>
      </div>
      <div className={`${classes.numbers} num`}>
        <span>
          <span className={classes.big}>{formatNumber(use.quotaUsed)}</span>{' '}
          <span className="dim">{(inUnits ? texts.ofUnits : texts.ofRequests)(formatNumber(use.quotaLimit))}</span>
        </span>
        <span className={classes.percent} data-level={level}>
          {quotaShare(use.quotaUsed, use.quotaLimit)}
        </span>
      </div>
      <QuotaMeter used={use.quotaUsed} limit={use.quotaLimit} label={quotaName(span)} scale />
      {use.renewsAt !== null && (
        <div className={`${classes.renews} caption dim num`}>
          {texts.renews(instantText(use.renewsAt))}
          <br />
          {paceText(span, pace)}
        </div>
      )}
      {warning !== undefined && (
        <output className={classes.warning} data-level={level}>
          <Icon size={17} aria-hidden />
          <span>
            {warning} {refused !== undefined && <b>{refused} </b>}
            {level === 'danger' && canRecharge && may('buyPack') && (
              <>
                <Link className="link" to={`/activations/${activationId}/billing?recharge`}>
                  {uiTexts.recharge}
                </Link>
                {' · '}
              </>
            )}
            {level === 'danger' && may('switchPlan') && (
              <Link className="link" to={`/activations/${activationId}/billing?switch`}>
                {uiTexts.renewOrUpgrade}
              </Link>
            )}
          </span>
        </output>
      )}
    </section>
  );
}

function paceText(span: QuotaSpan, pace: QuotaPace): string {
  if (pace.ends === 'used-up') return texts.usedUp;
  if (pace.ends === 'lasts') return texts.lasts;
  if (pace.ends === 'unknown') return texts.noPace;
  const instant = new Date(pace.at).toISOString();
  return span === 'daily' ? texts.runsOutToday(timeText(instant).slice(0, 5)) : texts.runsOut(instantText(instant));
}
