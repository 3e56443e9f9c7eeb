import { useMediaQuery } from '@mantine/hooks';
import type { Day } from '#shared/domain/day.ts';
import { axisDays, signedScale } from '#web/ui/chart-scale.ts';
import { DayChart } from '#web/ui/day-chart.tsx';
import { dayParts, dayText, shortDayText } from '#web/ui/localized-days.ts';

/** How many day labels fit under the bars. */
const maxNamed = 16;
const maxNamedOnPhone = 5;

/** Bars of one figure by day. */
export function FiguresChart({ label, points }: { label: string; points: readonly { day: Day; value: number }[] }) {
  const isPhone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const named = axisDays(
    points.map(({ day }) => day),
    points.at(-1)?.day ?? '',
    isPhone ? maxNamedOnPhone : maxNamed,
  );
  /** The first that is named in a month says which month it is. */
  const nameOf = (day: Day): string => {
    const before = named[named.indexOf(day) - 1];
    return before?.slice(0, 7) === day.slice(0, 7) ? dayParts(day).day : shortDayText(day);
  };
  return (
    <DayChart
      height={260}
      data={points}
      series={[{ name: 'value', label, color: 'var(--p-bar)' }]}
      scale={signedScale(points.map(({ value }) => value))}
      named={named}
      nameOf={nameOf}
      tip={{ labelFormatter: (day) => (typeof day === 'string' ? dayText(day) : day) }}
    />
  );
}
