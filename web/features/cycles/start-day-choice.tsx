import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/hi';
import { DatePicker, DatesProvider } from '@mantine/dates';
import { useLayoutEffect, useRef, useState } from 'react';
import type { Cycle } from '#shared/contract/cycles.ts';
import { type Day, addDays, isDay } from '#shared/domain/day.ts';
import classes from '#web/features/cycles/start-day-choice.module.css';
import { daysText } from '#web/ui/cycle-days.ts';
import { isStartDayFree, rangePart, whyTaken } from '#web/features/cycles/start-days.ts';
import { addTexts as texts } from '#web/features/cycles/texts.ts';
import { calendarTexts } from '#web/forms/texts.ts';
import { useLanguage } from '#web/language/use-language.ts';
import { dayText, periodText } from '#web/ui/localized-days.ts';

interface StartDayChoiceProps {
  value: Day | null;
  onChange: (day: Day) => void;
  /** How many days are added, over all periods. */
  days: number;
  taken: readonly Cycle[];
  /** In IST; no start lies before it (product §4.9). */
  today: Day;
}

const monthRows = { firstDayOfWeek: 0, consistentWeeks: true } as const;

/** Two months of 42 cells each (product §10.4), one below the other on a phone; the days of the cycle that would start are drawn. */
export function StartDayChoice({ value, onChange, days, taken, today }: StartDayChoiceProps) {
  const [month, setMonth] = useState<string>(value ?? today);
  const calendar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (calendar.current !== null) quietenOtherMonths(calendar.current, month);
  });
  const isFree = (day: Day) => isStartDayFree(day, days, taken);
  return (
    <DatesProvider settings={{ ...monthRows, locale: useLanguage() }}>
      <div ref={calendar}>
        <DatePicker
          value={value}
          onChange={(day) => {
            if (day !== null && isDay(day)) onChange(day);
          }}
          date={month}
          onDateChange={setMonth}
          numberOfColumns={2}
          columnsToScroll={1}
          maxLevel="month"
          minDate={today}
          excludeDate={(day) => !isFree(day)}
          hideOutsideDates={false}
          weekendDays={[]}
          withCellSpacing={false}
          fullWidth
          ariaLabels={{ previousMonth: calendarTexts.previousMonth, nextMonth: calendarTexts.nextMonth }}
          getDayProps={(day) => ({
            'data-day': day,
            'data-part': rangePart(day, value, days),
            'data-now': day === today || undefined,
            'data-taken': (day >= today && whyTaken(day, days, taken)?.covers) || undefined,
            title: day >= today ? takenText(day, days, taken) : undefined,
          })}
          classNames={{
            levelsGroup: classes.months ?? '',
            calendarHeader: classes.header ?? '',
            calendarHeaderLevel: classes.level ?? '',
            weekday: classes.weekday ?? '',
            monthCell: classes.cell ?? '',
            day: classes.day ?? '',
          }}
        />
        {taken.length > 0 && (
          <div className={`${classes.taken} caption dim num`}>
            <p>{texts.takenHead(daysText(days))}</p>
            <ul>
              {taken.map((cycle) => (
                <li key={cycle.id}>
                  {cycle.planName}: {periodText(cycle)}
                </li>
              ))}
            </ul>
            {taken.some((cycle) => cycle.fromDate <= today && today < cycle.toDate) && <p>{texts.takenToday}</p>}
          </div>
        )}
      </div>
    </DatesProvider>
  );
}

/** Why a day cannot be chosen, for a pointer that rests on it; the list below the months says it to everyone. */
function takenText(day: Day, maxDays: number, taken: readonly Cycle[]): string | undefined {
  const why = whyTaken(day, maxDays, taken);
  if (why === undefined) return undefined;
  const { cycle, covers } = why;
  return covers
    ? texts.takenBy(cycle.planName, periodText(cycle))
    : texts.tooShort(cycle.planName, dayText(cycle.fromDate));
}

/**
 * The 42 cells of a month hold days of its neighbours too, and the picker makes them buttons with the same name as the real
 * ones. They are taken out of reach, so that each day is there once for keyboard and screen reader.
 */
function quietenOtherMonths(calendar: HTMLElement, firstMonth: Day): void {
  for (const [index, table] of [...calendar.querySelectorAll('table')].entries()) {
    const shown = monthAfter(firstMonth, index);
    for (const cell of table.querySelectorAll('td')) {
      const day = cell.querySelector('button')?.dataset['day'];
      const isOther = day === undefined || !day.startsWith(shown);
      cell.inert = isOther;
      cell.ariaHidden = isOther ? 'true' : null;
    }
  }
}

function monthAfter(day: Day, count: number): string {
  let first = `${day.slice(0, 7)}-01`;
  for (let step = 0; step < count; step += 1) first = `${addDays(first, 31).slice(0, 7)}-01`;
  return first.slice(0, 7);
}
