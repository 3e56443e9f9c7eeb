import { Button, Card, Skeleton, Title, VisuallyHidden } from '@mantine/core';
import { ArrowRight, CalendarDays } from 'lucide-react';
import { Link } from 'react-router';
import type { Activation } from '#shared/contract/activations.ts';
import type { Usage } from '#shared/contract/usage.ts';
import { type Day, daysBetween } from '#shared/domain/day.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { refusedNow } from '#web/features/cycles/refused-now.ts';
import { refusedText } from '#web/features/cycles/refused-text.ts';
import { chartFacts, chartScale } from '#web/ui/chart-scale.ts';
import { paceOf } from '#web/features/usage/quota-pace.ts';
import { QuotaPanel } from '#web/features/usage/quota-panel.tsx';
import { usageTexts as texts } from '#web/features/usage/texts.ts';
import { useLiveUsage } from '#web/features/usage/use-live-usage.ts';
import classes from '#web/features/usage/usage-panel.module.css';
import { shellTexts } from '#web/shell/texts.ts';
import { dayOfInstant, dayText, periodText, shortDayText, spanText, timeText } from '#web/ui/localized-days.ts';
import { Facts } from '#web/ui/facts.tsx';
import { moneyText } from '#web/ui/money-text.ts';
import { EmptyState, Loaded, StateCard } from '#web/ui/states.tsx';
import { WhenNear } from '#web/ui/when-near.tsx';
import { lazyComponent } from '#web/ui/load-code.ts';
import { IfMay } from '#web/roles/if-may.tsx';
import { useMay } from '#web/roles/use-role.ts';

const UsageChart = lazyComponent(async () => (await import('#web/features/usage/usage-chart.tsx')).UsageChart);

/** My Usage: both quotas, and the calls of each day. */
export function UsagePanel({ activation }: { activation: Activation }) {
  const { usage, isLive } = useLiveUsage(activation.id);
  return (
    <Loaded of={usage} word={texts.loading} failed={texts.failed} shape={<UsageShape />}>
      {({ insights }) => <Insights insights={insights} activation={activation} isLive={isLive} />}
    </Loaded>
  );
}

/** The same size as the loaded content. */
export function UsageShape() {
  return (
    <>
      <Skeleton className={classes.quotasShape ?? ''} radius="lg" />
      <Skeleton h={396} mt={24} radius="lg" />
    </>
  );
}

function Insights({
  insights,
  activation,
  isLive,
}: {
  insights: Usage['insights'];
  activation: Activation;
  isLive: boolean;
}) {
  const may = useMay();
  const { inUnits, canRecharge, dailyUse, monthlyUse, from, to, asOf } = insights;
  // Live events are in English; the activation's cycle is named in the language of the page.
  const cycle = activation.billingCycles.find(({ fromDate, toDate }) => fromDate === from && toDate === to);
  const plan = insights.plan === null ? null : (cycle?.planName ?? insights.plan);
  // The server's day, not the browser's: the numbers are its.
  const today = dayOfInstant(asOf);
  const days = daysBetween(from, to);
  const refused = refusedNow(activation, insights, today);
  const refusedBy = (quota: 'daily-quota' | 'monthly-quota') =>
    refused?.reason === quota ? refusedText(refused, today) : undefined;
  return (
    <>
      {plan === null ? (
        <NoPlan activationId={activation.id} />
      ) : (
        <Card padding={0} className={classes.quotas} display="grid">
          <QuotaPanel
            activationId={activation.id}
            span="daily"
            use={dailyUse}
            inUnits={inUnits}
            canRecharge={canRecharge}
            when={texts.today(shortDayText(today))}
            pace={paceOf(insights, 'daily')}
            refused={refusedBy('daily-quota')}
          />
          <QuotaPanel
            activationId={activation.id}
            span={{ days }}
            use={monthlyUse}
            inUnits={inUnits}
            canRecharge={canRecharge}
            when={texts.dayOf(daysBetween(from, today) + 1, days)}
            pace={paceOf(insights, 'monthly')}
            refused={refusedBy('monthly-quota')}
          />
        </Card>
      )}
      <DailyRequests insights={insights} today={today} />
      <p className={classes.more} data-print="hidden">
        {(['requests', 'reporting'] as const)
          .filter((page) => page === 'reporting' || may('listRequests'))
          .map((page) => (
            <Link key={page} className="link" to={`/activations/${activation.id}/${page}`}>
              {shellTexts.pages[page]} <ArrowRight size={15} aria-hidden="true" />
            </Link>
          ))}
      </p>
      <p className={`${classes.foot} caption dim num`}>
        {plan !== null && (
          <span>
            {insights.monthlyPrice === 0
              ? texts.freePlan(plan, periodText({ fromDate: from, toDate: to }))
              : texts.plan(plan, moneyText(insights.monthlyPrice), periodText({ fromDate: from, toDate: to }))}
          </span>
        )}
        <span className={classes.asOf} data-live={isLive}>
          {isLive ? texts.live : texts.polling} · {texts.asOf(timeText(asOf))}
        </span>
      </p>
    </>
  );
}

function DailyRequests({
  insights: { graph, inUnits, dailyUse, from },
  today,
}: {
  insights: Usage['insights'];
  today: Day;
}) {
  const { average, highest, total } = chartFacts(graph);
  const facts = [
    { key: 'average', label: texts.average, value: formatNumber(average) },
    { key: 'highest', label: texts.highest, value: formatNumber(highest?.y ?? 0) },
    { key: 'total', label: texts.total, value: formatNumber(total) },
  ];
  const last = graph.at(-1)?.x ?? today;
  return (
    <Card padding={0} className={classes.chart}>
      <div className={classes.chartHead}>
        <div>
          <Title order={2} size="h3">
            {inUnits ? texts.chartOfUnits : texts.chart}
          </Title>
          <span className="caption dim num">{spanText(from, last)}</span>
        </div>
        <Facts look="strip" className={classes.facts} facts={facts} />
      </div>
      <figure className={classes.figure}>
        <VisuallyHidden component="figcaption">
          {texts.chartSpoken({
            from: dayText(from),
            to: dayText(last),
            highestDay: highest === undefined ? '–' : dayText(highest.x),
            highest: formatNumber(highest?.y ?? 0),
            today: formatNumber(dailyUse.quotaUsed),
          })}
        </VisuallyHidden>
        <div aria-hidden="true">
          <WhenNear shape={<Skeleton h={270} />}>
            <UsageChart
              graph={graph}
              scale={chartScale(
                dailyUse.quotaLimit,
                graph.map(({ y }) => y),
              )}
              limit={dailyUse.quotaLimit}
              today={today}
            />
          </WhenNear>
        </div>
      </figure>
    </Card>
  );
}

function NoPlan({ activationId }: { activationId: string }) {
  return (
    <StateCard>
      <EmptyState
        icon={<CalendarDays size={20} />}
        title={texts.noPlan}
        action={
          <IfMay call="listHistory">
            <Button component={Link} to={`/activations/${activationId}/billing`} variant="default">
              {texts.manage}
            </Button>
          </IfMay>
        }
      >
        {texts.noPlanMore}
      </EmptyState>
    </StateCard>
  );
}
