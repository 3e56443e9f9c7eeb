import { useMediaQuery } from '@mantine/hooks';
import type { Day } from '#shared/domain/day.ts';
import { formatNumber, formatPercent } from '#shared/domain/number-text.ts';
import { usageTexts as texts } from '#web/features/usage/texts.ts';
import classes from '#web/features/usage/usage-chart.module.css';
import { type ChartScale, axisDays, chartBars, withDaysToCome } from '#web/ui/chart-scale.ts';
import { DayChart } from '#web/ui/day-chart.tsx';
import { dayParts, dayText, shortDayText } from '#web/ui/localized-days.ts';

/** How many day labels fit under the chart. */
const maxNamed = 31;
const maxNamedOnPhone = 5;
const leastDays = 14;

interface UsageChartProps {
  graph: readonly { x: Day; y: number }[];
  scale: ChartScale;
  /** 0: no plan is running, and nothing to hold the bars against. */
  limit: number;
  today: Day;
}

/** Bars of calls a day against the daily limit, with its 60 % and 80 % lines. */
export function UsageChart({ graph, scale, limit, today }: UsageChartProps) {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const days = withDaysToCome(graph, leastDays);
  const named = axisDays(
    days.map(({ x }) => x),
    today,
    isPhone ? maxNamedOnPhone : maxNamed,
  );
  const showThresholds = limit > 0 && scale.max === limit;
  return (
    <DayChart
      height={270}
      data={chartBars(days, today)}
      series={[
        { name: 'requests', color: 'var(--p-bar)' },
        { name: 'today', color: 'var(--p-bar-now)' },
      ]}
      scale={scale}
      named={named}
      nameOf={(day) => axisText(day, named[0], today)}
      lines={
        showThresholds ? [thresholdLine(0.6 * limit, '60%', 'warn'), thresholdLine(0.8 * limit, '80%', 'danger')] : []
      }
      radius={[3, 3, 0, 0]}
      valueWidth={56}
      tip={{ content: <Tip limit={limit} /> }}
    />
  );
}

/** The chart passes the day and its bars. */
function Tip({
  limit,
  active = false,
  label,
  payload,
}: {
  limit: number;
  active?: boolean;
  label?: Day;
  payload?: readonly { value?: number }[];
}) {
  if (!active || label === undefined) return null;
  const calls = (payload ?? []).reduce((sum, bar) => sum + (bar.value ?? 0), 0);
  return (
    <div className={`${classes.tip} num`}>
      <b className="strong">{formatNumber(calls)}</b> {texts.requests}
      <br />
      {dayText(label)}
      {limit > 0 && ` · ${texts.ofLimit(formatPercent(calls / limit))}`}
    </div>
  );
}

function thresholdLine(y: number, label: string, tone: 'warn' | 'danger') {
  return {
    y,
    color: `var(--p-${tone})`,
    strokeDasharray: '4 3',
    label: { value: label, position: 'right' as const, fill: `var(--p-${tone}-text)`, fontSize: 11, fontWeight: 550 },
  };
}

/** "3 Nov", then the days alone; a month's first day names it, and the last bar is Today. */
function axisText(day: Day, first: Day | undefined, today: Day): string {
  if (day === today) return texts.todayLabel;
  return day === first || day.endsWith('-01') ? shortDayText(day) : dayParts(day).day;
}
