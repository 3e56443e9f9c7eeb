import { Skeleton, VisuallyHidden } from '@mantine/core';
import { Suspense, lazy } from 'react';
import classes from '#web/features/activations/report.module.css';
import { type ActivationReport, reportDays } from '#web/features/activations/reporting-days.ts';
import { ReportTable } from '#web/features/activations/report-table.tsx';
import { reportingTexts as texts } from '#web/features/activations/texts.ts';
import { rangeText, shortDayText, shortRangeText } from '#web/ui/day-text.ts';
import { Facts } from '#web/ui/facts.tsx';
import { Section } from '#web/ui/section.tsx';

const ReportChart = lazy(async () => ({
  default: (await import('#web/features/activations/report-chart.tsx')).ReportChart,
}));
const count = new Intl.NumberFormat('en-IN');

/** Facts, bars and a row per activation. */
export function Report({ reports }: { reports: readonly ActivationReport[] }) {
  const series = reports.map(({ activation, insights }) => ({
    activationId: activation.id,
    service: activation.service.name,
    graph: insights.graph,
  }));
  const days = reportDays(series);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  const total = days.reduce((sum, day) => sum + day.total, 0);
  const highest = days.reduce((best, day) => (day.total > best.total ? day : best), first);
  return (
    <>
      <Facts
        facts={[
          { key: 'total', name: texts.requests, value: count.format(total) },
          { key: 'average', name: texts.average, value: count.format(Math.round(total / days.length)) },
          {
            key: 'highest',
            name: texts.highest,
            value: count.format(highest.total),
            more: texts.on(shortDayText(highest.day)),
          },
          {
            key: 'days',
            name: texts.days,
            value: count.format(days.length),
            more: shortRangeText(first.day, last.day),
          },
        ]}
      />
      <div className={classes.chart}>
        <div className={classes.head}>
          <h2>{texts.chart}</h2>
          {series.length < 2 ? null : (
            <ul className={classes.legend}>
              {series.map(({ activationId, service }, index) => (
                <li key={activationId} data-series={index % 2}>
                  {service}
                </li>
              ))}
            </ul>
          )}
        </div>
        <figure className={classes.figure}>
          <VisuallyHidden component="figcaption">
            {texts.chartSpoken(rangeText(first.day, last.day), count.format(highest.total), shortDayText(highest.day))}
          </VisuallyHidden>
          <div aria-hidden="true">
            <Suspense fallback={<Skeleton height={300} />}>
              <ReportChart days={days} series={series} />
            </Suspense>
          </div>
        </figure>
      </div>
      <Section title={texts.byActivation}>
        <ReportTable reports={reports} />
      </Section>
    </>
  );
}
