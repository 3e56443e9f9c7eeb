import { CalendarClock, CircleAlert, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router';
import type { Activation } from '#shared/contract/activations.ts';
import type { Cycle } from '#shared/contract/cycles.ts';
import type { QuotaUse } from '#shared/contract/values.ts';
import { readUsage } from '#shared/contract/usage.ts';
import { daysLeft } from '#shared/domain/cycle.ts';
import { daysBetween } from '#shared/domain/day.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { useCall } from '#web/api/use-call.ts';
import classes from '#web/features/activations/glance.module.css';
import { activationTexts as texts } from '#web/features/activations/texts.ts';
import { CycleStatus } from '#web/features/invoices/cycle-status.tsx';
import { isPrepaid, type OpenCycles, openCycles } from '#web/features/cycles/open-cycles.ts';
import { refusedNow } from '#web/features/cycles/refused-now.ts';
import { refusedText } from '#web/features/cycles/refused-text.ts';
import { cycleTexts } from '#web/features/cycles/texts.ts';
import { endText } from '#web/ui/localized-days.ts';
import { Facts } from '#web/ui/facts.tsx';
import { type QuotaSpan, quotaLevel, quotaName, quotaShare, quotaWarning } from '#web/ui/quota-meter-level.ts';
import { QuotaMeter } from '#web/ui/quota-meter.tsx';
import { EmptyState, StateCard } from '#web/ui/states.tsx';
import { uiTexts } from '#web/ui/texts.ts';
import { useToday } from '#web/ui/today.ts';
import { useMay } from '#web/roles/use-role.ts';

const everyMs = 10_000;

/** Today, this cycle and the plan, in figures. */
export function Glance({ activation }: { activation: Activation }) {
  const today = useToday();
  const open = openCycles(activation.billingCycles, today);
  const usage = useCall(
    readUsage,
    { params: { activationId: activation.id } },
    { enabled: open.running !== undefined, refetchIntervalMs: everyMs },
  );
  if (open.running === undefined) {
    // The banner above says it.
    if (open.payable !== undefined || open.confirming !== undefined || open.billed.length > 0) return null;
    return (
      <div className={classes.none}>
        <StateCard>
          <EmptyState icon={<CalendarClock size={20} />} title={texts.noPlans}>
            {texts.noPlansMore}
          </EmptyState>
        </StateCard>
      </div>
    );
  }
  const insights = usage.data?.insights;
  const refused = refusedNow(activation, insights, today);
  const refusedBy = (quota: 'daily-quota' | 'monthly-quota') =>
    refused?.reason === quota ? refusedText(refused, today) : undefined;
  return (
    <div className={classes.glance}>
      <Quota
        activationId={activation.id}
        title={texts.today}
        span="daily"
        use={insights?.dailyUse ?? activation.dailyUse ?? undefined}
        refused={refusedBy('daily-quota')}
        canRecharge={insights?.canRecharge === true}
      />
      <Quota
        activationId={activation.id}
        title={texts.thisCycle}
        span={{ days: daysBetween(open.running.fromDate, open.running.toDate) }}
        use={insights?.monthlyUse}
        refused={refusedBy('monthly-quota')}
        canRecharge={insights?.canRecharge === true}
      />
      <PlanFacts activationId={activation.id} open={open} />
    </div>
  );
}

function Quota({
  title,
  span,
  use,
  refused,
  canRecharge,
  activationId,
}: {
  activationId: string;
  title: string;
  span: QuotaSpan;
  use: QuotaUse | undefined;
  /** Said once this quota is the reason. */
  refused: string | undefined;
  canRecharge: boolean;
}) {
  const may = useMay();
  const { quotaUsed: used, quotaLimit: limit } = use ?? { quotaUsed: 0, quotaLimit: 0 };
  const level = quotaLevel(used, limit);
  const warning = quotaWarning(span, level);
  return (
    <div>
      <div className={classes.label}>
        <Link className="link" to={`/api/${activationId}`}>
          {title}
        </Link>
        {use === undefined ? null : (
          <span className={classes.percent} data-level={level}>
            {quotaShare(used, limit)}
          </span>
        )}
      </div>
      <div className={classes.number}>
        {use === undefined ? '–' : formatNumber(used)}{' '}
        {use === undefined ? null : <small>/ {formatNumber(limit)}</small>}
      </div>
      <QuotaMeter used={used} limit={limit} label={quotaName(span)} />
      {warning === undefined ? null : (
        <div className={classes.note} data-level={level}>
          {level === 'danger' ? (
            <CircleAlert size={16} aria-hidden="true" />
          ) : (
            <TriangleAlert size={16} aria-hidden="true" />
          )}
          <span>
            {warning} {refused === undefined ? null : <b>{refused} </b>}
            {level === 'danger' && canRecharge && may('buyPack') ? (
              <>
                <Link className="link" to={`/activations/${activationId}/billing?recharge`}>
                  {uiTexts.recharge}
                </Link>
                {' · '}
              </>
            ) : null}
            {level === 'danger' && may('switchPlan') ? (
              <Link className="link" to={`/activations/${activationId}/billing?switch`}>
                {uiTexts.renewOrUpgrade}
              </Link>
            ) : null}
          </span>
        </div>
      )}
    </div>
  );
}

function PlanFacts({ activationId, open }: { activationId: string; open: OpenCycles }) {
  const today = useToday();
  const { running } = open;
  const may = useMay();
  if (running === undefined) return null;
  const next = open.upcoming[0];
  return (
    <div>
      <div className={classes.label}>
        <Link className="link" to={`/api/${activationId}?tab=plan`}>
          {texts.plan}
        </Link>
        <CycleStatus cycle={running} />
      </div>
      <div className={classes.number}>{running.planName}</div>
      <Facts
        look="rows"
        className={classes.facts}
        facts={[
          {
            key: 'ends',
            label: texts.ends,
            value: endText(running.toDate, today),
            more: cycleTexts.daysLeft(daysLeft(running, today)),
          },
          {
            key: 'next',
            label: texts.next,
            value:
              next === undefined && !may('addCycle') ? (
                texts.nextNone
              ) : next === undefined ? (
                <Link className="link" to={`/activations/${activationId}/billing`}>
                  {texts.nextNone}
                </Link>
              ) : (
                nextText(next)
              ),
          },
        ]}
      />
    </div>
  );
}

function nextText(next: Cycle): string {
  return isPrepaid(next) ? texts.nextPrepaid(next.planName) : texts.nextUnpaid(next.planName);
}
