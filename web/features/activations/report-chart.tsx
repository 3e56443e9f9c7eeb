import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import type { Day } from '#domain/day.ts';
import classes from '#web/features/activations/report.module.css';
import type { ReportDay, Series } from '#web/features/activations/reporting-days.ts';
import { chartScale } from '#web/features/usage/chart-scale.ts';
import { dayParts, dayText, shortDayText } from '#web/ui/day-text.ts';

const count = new Intl.NumberFormat('en-IN');

/** Calls a day, the activations on top of each other. */
export function ReportChart({ days, series }: { days: readonly ReportDay[]; series: readonly Series[] }) {
  const first = days[0]?.day;
  // The bars reach up to the server's today.
  const today = days.at(-1)?.day;
  const scale = chartScale(
    0,
    days.map(({ total }) => total),
  );
  return (
    <BarChart
      h={300}
      data={days.map(({ day, byActivation }) => ({ day, ...byActivation }))}
      dataKey="day"
      type="stacked"
      series={series.map(({ activationId, service }, index) => ({
        name: activationId,
        label: service,
        color: index % 2 === 0 ? 'var(--p-series-1)' : 'var(--p-series-2)',
      }))}
      gridAxis="x"
      gridColor="var(--p-chart-grid)"
      strokeDasharray="0"
      tickLine="none"
      maxBarWidth={26}
      barProps={{ isAnimationActive: false }}
      barChartProps={{ accessibilityLayer: false, margin: { top: 10, right: 8, bottom: 0, left: 0 } }}
      xAxisProps={{
        tickFormatter: (day: Day) =>
          day === today ? 'Today' : day === first || day.endsWith('-01') ? shortDayText(day) : dayParts(day).day,
        interval: 'equidistantPreserveStart',
        minTickGap: 12,
        stroke: 'var(--p-chart-axis)',
        axisLine: true,
      }}
      yAxisProps={{ domain: [0, scale.max], ticks: scale.ticks, width: 56, interval: 0 }}
      valueFormatter={(value) => count.format(value)}
      classNames={{ axis: classes.axis ?? '' }}
      tooltipAnimationDuration={0}
      tooltipProps={{ labelFormatter: (day) => (typeof day === 'string' ? dayText(day) : day) }}
    />
  );
}
