import { Button, Card, Title, VisuallyHidden } from '@mantine/core';
import { CalendarDays } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Activation } from '#shared/contract/activations.ts';
import type { Cycle } from '#shared/contract/cycles.ts';
import { daysLeft } from '#shared/domain/cycle.ts';
import { type Day, daysBetween } from '#shared/domain/day.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { BillBanner } from '#web/features/cycles/bill-banner.tsx';
import { CycleStatus } from '#web/features/invoices/cycle-status.tsx';
import { openCycles } from '#web/features/cycles/open-cycles.ts';
import { daysOf, daysText } from '#web/ui/cycle-days.ts';
import { cycleTexts } from '#web/features/cycles/texts.ts';
import classes from '#web/features/usage/plan-panel.module.css';
import type { Payment } from '#web/features/payments/use-payment.ts';
import { planTexts as texts } from '#web/features/usage/texts.ts';
import { dayText, periodText } from '#web/ui/localized-days.ts';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { EmptyState, StateCard } from '#web/ui/states.tsx';
import { useToday } from '#web/ui/today.ts';
import { quotaName } from '#web/ui/quota-meter-level.ts';
import { IfMay } from '#web/roles/if-may.tsx';

/** My Plan (product §2.21): the running plan with its quotas, the upcoming ones, and how to change it. */
export function PlanPanel({ activation, payment }: { activation: Activation; payment: Payment }) {
  const today = useToday();
  const open = openCycles(activation.billingCycles, today);
  const change = (
    <IfMay call="listHistory">
      <Button component={Link} to={`/activations/${activation.id}/billing`} variant="default">
        {texts.change}
      </Button>
    </IfMay>
  );
  return (
    <>
      <VisuallyHidden component="h2">{texts.title}</VisuallyHidden>
      <BillBanner activationId={activation.id} billed={open.billed} payment={payment} />
      {open.running === undefined ? (
        <StateCard>
          <EmptyState icon={<CalendarDays size={20} />} title={texts.emptyTitle} action={change}>
            {texts.emptyMore}
          </EmptyState>
        </StateCard>
      ) : (
        <RunningPlan cycle={open.running} today={today} change={change} />
      )}
      <section className={classes.next}>
        <Title order={2}>{texts.next}</Title>
        {open.upcoming.length === 0 ? (
          <p className="soft">{texts.nothingNext}</p>
        ) : (
          <ul className={classes.list}>
            {open.upcoming.map((cycle) => (
              <NextPlan key={cycle.id} cycle={cycle} days={daysOf(cycle, today, open.taken)} />
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function RunningPlan({ cycle, today, change }: { cycle: Cycle; today: Day; change: ReactNode }) {
  const days = daysBetween(cycle.fromDate, cycle.toDate);
  const facts = [
    { key: 'plan', label: texts.plan, value: cycle.planName },
    {
      key: 'price',
      label: texts.price,
      value: <Money rupees={cycle.price} price />,
      more: texts.forDays(daysText(days)),
    },
    { key: 'daily', label: quotaName('daily'), value: formatNumber(cycle.dailyQuota) },
    { key: 'monthly', label: quotaName({ days }), value: formatNumber(cycle.monthlyQuota) },
    { key: 'rate', label: texts.rate, value: formatNumber(cycle.rps), more: texts.perSecond },
  ];
  return (
    <Card padding={0}>
      <Facts look="figures" className={classes.facts} facts={facts} />
      <div className={`${classes.foot} caption num`}>
        <CycleStatus cycle={cycle} />
        <span className="soft">
          {periodText(cycle)}, {cycleTexts.daysLeft(daysLeft(cycle, today))}
        </span>
        <span className={classes.change}>{change}</span>
      </div>
    </Card>
  );
}

function NextPlan({ cycle, days }: { cycle: Cycle; days: string }) {
  const isPaid = cycle.status === 'PAID' || cycle.status === 'NO_PAYMENT_REQUIRED';
  return (
    <li>
      <div>
        <span className={classes.planName}>
          {cycle.planName} <CycleStatus cycle={cycle} />
        </span>
        <span className="caption dim num">
          {days}. {isPaid ? texts.nextStarts(dayText(cycle.fromDate)) : texts.unpaid}
        </span>
      </div>
      <Money rupees={cycle.price} price fw={550} />
    </li>
  );
}
