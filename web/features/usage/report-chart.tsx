import { useMediaQuery } from '@mantine/hooks';
import type { Day } from '#shared/domain/day.ts';
import type { ReportFilter } from '#web/features/usage/report-filter.ts';
import type { ReportPoint } from '#web/features/usage/report-series.ts';
import { reportTexts as texts } from '#web/features/usage/report-texts.ts';
import { axisDays, chartScale } from '#web/ui/chart-scale.ts';
import { DayChart } from '#web/ui/day-chart.tsx';
import { dayParts, dayText, shortDayText } from '#web/ui/localized-days.ts';

/** How many day labels fit under the bars. */
const maxNamed = 16;
const maxNamedOnPhone = 5;

export interface ReportChartProps {
  points: readonly ReportPoint[];
  per: ReportFilter['per'];
  /** From the bottom up; each stands for one line, the last possibly for all small ones. */
  series: readonly { label: string; ids: readonly string[]; color: string }[];
  /** The daily quota that the bars can be held against, where they are of one activation and of days. */
  limit: number | null;
  today: Day;
}

/** Calls per day or month, with products or keys stacked. */
export function ReportChart({ points, per, series, limit, today }: ReportChartProps) {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const named = axisDays(
    points.map(({ day }) => day),
    points.at(-1)?.day ?? today,
    isPhone ? maxNamedOnPhone : maxNamed,
  );
  const scale = chartScale(
    limit ?? 0,
    points.map(({ total }) => total),
  );
  const showThreshold = limit !== null && scale.max === limit;
  const data = points.map(({ day, byLine }) => ({
    day,
    ...Object.fromEntries(
      series.map(({ ids }, index) => [`s${index}`, ids.reduce((sum, id) => sum + (byLine[id] ?? 0), 0)]),
    ),
  }));
  return (
    <DayChart
      height={300}
      data={data}
      series={series.map(({ label, color }, index) => ({ name: `s${index}`, label, color }))}
      scale={scale}
      named={named}
      nameOf={(day) => axisText(day, per, named, today)}
      lines={
        showThreshold
          ? [{ y: 0.8 * limit, color: 'var(--p-danger)', strokeDasharray: '4 3', label: thresholdLabel }]
          : []
      }
      barWidth={per === 'month' ? 48 : 26}
      tip={{
        labelFormatter: (day) => (typeof day === 'string' ? (per === 'month' ? monthText(day) : dayText(day)) : day),
      }}
    />
  );
}

/** Beside the bars: on them it would be unreadable. */
const thresholdLabel = {
  value: '80%',
  position: 'right' as const,
  fill: 'var(--p-danger-text)',
  fontSize: 11,
  fontWeight: 550,
};

/** "Nov 2026". */
function monthText(day: Day): string {
  const { month, year } = dayParts(day);
  return `${month} ${year}`;
}

function axisText(day: Day, per: ReportFilter['per'], named: readonly Day[], today: Day): string {
  if (per === 'month') return day === named[0] || day.slice(5, 7) === '01' ? monthText(day) : dayParts(day).month;
  if (day === today) return texts.today;
  // The first that is named in a month says which month it is.
  const before = named[named.indexOf(day) - 1];
  return before?.slice(0, 7) === day.slice(0, 7) ? dayParts(day).day : shortDayText(day);
}
