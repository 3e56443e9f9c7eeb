import { Skeleton, VisuallyHidden } from '@mantine/core';
import { Suspense } from 'react';
import type { UsageReport } from '#shared/contract/usage.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import type { ReportFilter } from '#web/features/usage/report-filter.ts';
import { type ReportLine, type ReportView, chartSeries, isInUnits } from '#web/features/usage/report-series.ts';
import { ReportTable } from '#web/features/usage/report-table.tsx';
import { reportTexts as texts } from '#web/features/usage/report-texts.ts';
import classes from '#web/features/usage/report.module.css';
import { dayOfInstant, spanText, shortDayText, timeText } from '#web/ui/localized-days.ts';
import { Facts } from '#web/ui/facts.tsx';
import { Section } from '#web/ui/section.tsx';
import { lazyComponent } from '#web/ui/load-code.ts';

const ReportChart = lazyComponent(async () => (await import('#web/features/usage/report-chart.tsx')).ReportChart);

/** More colours than these could not be distinguished. */
const colors = ['var(--p-series-1)', 'var(--p-series-2)', 'var(--p-series-3)', 'var(--p-series-4)'];

/** Facts, bars and a row per product or key. */
export function ReportFigures({
  report,
  view,
  filter: { per, by, activationId },
}: {
  report: UsageReport;
  view: ReportView;
  filter: ReportFilter;
}) {
  const series = chartSeries(view.lines, colors.length).map(({ ids, name }, index) => ({
    ids,
    label: name === null ? texts.others : nameOf(name),
    color: colors[index] ?? '',
  }));
  const ofOne = view.lines.every((line) => line.activationId === view.lines[0]?.activationId);
  const inUnits = isInUnits(view);
  const title = (inUnits ? texts.chartOfUnits : texts.chart)[per];
  const highestDay = shortDayText(view.highest.day);
  return (
    <>
      <Facts look="figures" facts={factsOf(view)} />
      <div className={classes.chart}>
        <div className={classes.head}>
          <h2>{title}</h2>
          {series.length < 2 ? null : (
            <ul className={classes.legend}>
              {series.map(({ label, color, ids }) => (
                <li key={ids.join(' ')}>
                  <span className={classes.colour} style={{ background: color }} aria-hidden="true" />
                  {label}
                </li>
              ))}
            </ul>
          )}
        </div>
        <figure className={classes.figure}>
          <VisuallyHidden component="figcaption">
            {(inUnits ? texts.chartOfUnitsSpoken : texts.chartSpoken)({
              chart: title,
              range: spanText(report.from, report.to),
              highest: formatNumber(view.highest.units),
              day: highestDay,
            })}
          </VisuallyHidden>
          <div aria-hidden="true">
            <Suspense fallback={<Skeleton height={300} />}>
              <ReportChart
                points={view.points}
                per={per}
                series={series}
                limit={per === 'day' && (activationId !== null || ofOne) ? (view.lines[0]?.dailyQuota ?? null) : null}
                today={dayOfInstant(report.asOf)}
              />
            </Suspense>
          </div>
        </figure>
      </div>
      <Section title={texts.table[by]}>
        <ReportTable view={view} by={by} />
        <p className={`${classes.foot} caption dim num`}>
          {texts.asOf(timeText(report.asOf))} {view.free > 0 && texts.freeMore}
        </p>
      </Section>
    </>
  );
}

function factsOf(view: ReportView) {
  const facts = [
    {
      key: 'total',
      label: texts.requests,
      value: formatNumber(view.counted),
      ...(view.free > 0 && { more: texts.free(formatNumber(view.free)) }),
    },
    ...(isInUnits(view) ? [{ key: 'units', label: texts.units, value: formatNumber(view.units) }] : []),
    { key: 'average', label: averageText(view), value: formatNumber(Math.round(view.units / view.days)) },
    {
      key: 'highest',
      label: texts.highest,
      value: formatNumber(view.highest.units),
      more: texts.on(shortDayText(view.highest.day)),
    },
  ];
  if (view.tightDays === null) return facts;
  return [
    ...facts,
    {
      key: 'tight',
      label: texts.tight,
      value: formatNumber(view.tightDays),
      more: texts.ofDays(formatNumber(view.days)),
    },
  ];
}

const averageText = (view: ReportView): string => (isInUnits(view) ? texts.averageUnits : texts.average);

function nameOf({ keyName, service }: ReportLine): string {
  return keyName === null ? service : `${keyName}, ${service}`;
}
