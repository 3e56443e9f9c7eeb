import '@mantine/charts/styles.layer.css';
import { BarChart, type BarChartProps } from '@mantine/charts';
import type { Day } from '#shared/domain/day.ts';
import { formatTick } from '#shared/domain/number-text.ts';
import type { ChartScale } from '#web/ui/chart-scale.ts';
import classes from '#web/ui/day-chart.module.css';

export interface DayChartProps {
  height: number;
  data: readonly { day: Day }[];
  /** From the bottom up: `name` is that of the values in the data. */
  series: BarChartProps['series'];
  scale: ChartScale;
  /** The days that are named under the bars, and how. */
  named: readonly Day[];
  nameOf: (day: Day) => string;
  /** Lines to hold the bars against, with their labels beside the chart. */
  lines?: BarChartProps['referenceLines'];
  radius?: [number, number, number, number];
  barWidth?: number;
  valueWidth?: number;
  tip?: BarChartProps['tooltipProps'];
}

/** Bars by day. It is drawn for the eye alone: a caption and a table say the same. */
export function DayChart({ height, data, series, scale, named, nameOf, lines, ...look }: DayChartProps) {
  const { radius, barWidth = 26, valueWidth = 60, tip } = look;
  return (
    <BarChart
      h={height}
      data={[...data]}
      dataKey="day"
      type="stacked"
      series={series}
      gridAxis="x"
      gridColor="var(--p-chart-grid)"
      strokeDasharray="0"
      tickLine="none"
      maxBarWidth={barWidth}
      // Bars that animate on each update would never stop moving.
      barProps={{ isAnimationActive: false, ...(radius !== undefined && { radius }) }}
      barChartProps={{
        accessibilityLayer: false,
        margin: { top: 10, right: (lines ?? []).length > 0 ? 38 : 8, bottom: 0, left: 0 },
      }}
      classNames={{ axis: classes.axis ?? '' }}
      xAxisProps={{
        tickFormatter: nameOf,
        ticks: [...named],
        interval: 0,
        stroke: 'var(--p-chart-axis)',
        axisLine: true,
      }}
      yAxisProps={{ domain: [scale.min ?? 0, scale.max], ticks: scale.ticks, width: valueWidth, interval: 0 }}
      valueFormatter={formatTick}
      referenceLines={lines ?? []}
      tooltipAnimationDuration={0}
      tooltipProps={tip ?? {}}
    />
  );
}
