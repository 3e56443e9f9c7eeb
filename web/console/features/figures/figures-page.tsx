import { NativeSelect, Skeleton, VisuallyHidden } from '@mantine/core';
import { Suspense } from 'react';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { figureDefinitions, readFigures } from '#shared/contract/operator/figures.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import { firstDayOfFinancialYear } from '#shared/domain/financial-year.ts';
import { firstDayOf, lastDayOf, monthBefore, monthOf } from '#shared/domain/month.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import classes from '#web/console/features/figures/figures-page.module.css';
import { labelOf } from '#web/console/ui/labels.ts';
import { LoadedCall } from '#web/console/ui/loaded-call.tsx';
import { Page, Part } from '#web/console/ui/page.tsx';
import { columnsOf } from '#web/console/ui/reply-facts.ts';
import { CsvButton, RowTable } from '#web/console/ui/row-table.tsx';
import { useFilter } from '#web/console/ui/use-filter.ts';
import { Facts } from '#web/ui/facts.tsx';
import { lazyComponent } from '#web/ui/load-code.ts';
import { dayText } from '#web/ui/localized-days.ts';
import { moneyText } from '#web/ui/money-text.ts';
import { useToday } from '#web/ui/today.ts';

const FiguresChart = lazyComponent(
  async () => (await import('#web/console/features/figures/figures-chart.tsx')).FiguresChart,
);

const spans = ['Last 30 days', 'This month', 'Last month', 'Last 90 days', 'Financial year'] as const;

/** The days of a choice: whole ones where it is a number of them, as of the command; else until today. */
function daysOf(span: (typeof spans)[number], today: Day): { from: Day; to: Day } {
  const first = firstDayOf(monthOf(today));
  const before = monthBefore(monthOf(today));
  return {
    'Last 30 days': { from: addDays(today, -30), to: addDays(today, -1) },
    'This month': { from: first, to: today },
    'Last month': { from: firstDayOf(before), to: lastDayOf(before) },
    'Last 90 days': { from: addDays(today, -90), to: addDays(today, -1) },
    'Financial year': { from: firstDayOfFinancialYear(today), to: today },
  }[span];
}

const tables = [
  { name: 'products', label: 'By product', empty: 'Nothing is or was sold on these days.' },
  { name: 'plans', label: 'By plan', empty: 'No plan was paid for.' },
  { name: 'customers', label: 'Customers with the most revenue', empty: 'Nobody paid for these days.' },
  { name: 'days', label: 'By day', empty: '' },
] as const;

/** How the business does, by day, product, plan and customer. */
export function FiguresPage() {
  const [span, choose] = useFilter('days', spans);
  const { from, to } = daysOf(span, useToday());
  return (
    <Page
      title="Figures"
      lead={`${dayText(from)} to ${dayText(to)}. Revenue is that of the books.`}
      actions={
        <NativeSelect
          aria-label="Days"
          data={[...spans]}
          value={span}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
      }
    >
      <LoadedCall call="readFigures" input={{ from, to }} failed="The figures could not be read" height={240}>
        {(found) => (
          <>
            <Totals days={found.days} />
            <Chart days={found.days} />
            {tables.map(({ name, label, empty }) => {
              const rows = name === 'days' ? found.days.toReversed() : found[name];
              const columns = columnsOf(readFigures.reply.shape[name], rows);
              return (
                <Part
                  key={name}
                  title={label}
                  end={<CsvButton label={`Figures ${label}`} columns={columns} read={async () => rows} />}
                >
                  <RowTable
                    label={label}
                    columns={columns}
                    rows={rows}
                    rowKey={(row) => JSON.stringify(row)}
                    to={(row) => (isOfCustomer(row) ? `/customers/${encodeURIComponent(row.customerId)}` : null)}
                    empty={empty}
                  />
                </Part>
              );
            })}
            <Definitions />
          </>
        )}
      </LoadedCall>
    </Page>
  );
}

const isOfCustomer = (row: unknown): row is { customerId: string } =>
  typeof row === 'object' && row !== null && 'customerId' in row;

function Totals({ days }: { days: OperatorReply<'readFigures'>['days'] }) {
  const sum = (of: 'cash' | 'revenue' | 'calls'): number => days.reduce((total, day) => total + day[of], 0);
  const money = (of: 'cash' | 'revenue') => moneyText(Math.round(sum(of) * 100) / 100);
  return (
    <Facts
      look="figures"
      facts={[
        { key: 'cash', label: 'Cash', value: money('cash') },
        { key: 'revenue', label: 'Revenue', value: money('revenue') },
        { key: 'plans', label: 'Paid plans on the last day', value: formatNumber(days.at(-1)?.activePaidPlans ?? 0) },
        { key: 'calls', label: 'Calls', value: formatNumber(sum('calls')) },
      ]}
    />
  );
}

const charts = ['Revenue', 'Cash', 'Paid plans', 'Calls'] as const;
const fieldOf = { Revenue: 'revenue', Cash: 'cash', 'Paid plans': 'activePaidPlans', Calls: 'calls' } as const;

/** One figure by day; the table of days says the same in numbers. */
function Chart({ days }: { days: OperatorReply<'readFigures'>['days'] }) {
  const [chart, choose] = useFilter('chart', charts);
  const points = days.map((each) => ({ day: each.day, value: each[fieldOf[chart]] }));
  return (
    <Part
      title={`${chart} by day`}
      end={
        <NativeSelect
          aria-label="Figure"
          data={[...charts]}
          value={chart}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
      }
    >
      <figure className={classes.chart}>
        <VisuallyHidden component="figcaption">{`${chart} by day, as in the table “By day”`}</VisuallyHidden>
        <div aria-hidden="true">
          <Suspense fallback={<Skeleton height={260} />}>
            <FiguresChart label={chart === 'Revenue' || chart === 'Cash' ? `${chart}, ₹` : chart} points={points} />
          </Suspense>
        </div>
      </figure>
    </Part>
  );
}

const Definitions = () => (
  <Part title="What each figure is">
    <Facts
      look="list"
      className={classes.definitions}
      facts={Object.entries(figureDefinitions).map(([name, text]) => ({
        key: name,
        label: labelOf(name),
        value: text,
      }))}
    />
  </Part>
);
