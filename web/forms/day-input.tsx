import '@mantine/core/styles/Popover.layer.css';
import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/hi';
import { DateInput, type DateInputProps, DatesProvider } from '@mantine/dates';
import { CalendarDays } from 'lucide-react';
import { type FocusEvent, type KeyboardEvent, useState } from 'react';
import type { Day } from '#shared/domain/day.ts';
import { readDay } from '#shared/domain/typed-day.ts';
import { calendarTexts, dayInputTexts } from '#web/forms/texts.ts';
import { useLanguage } from '#web/language/use-language.ts';
import { dayText } from '#web/ui/localized-days.ts';
import { useToday } from '#web/ui/today.ts';

interface DayInputProps extends Omit<DateInputProps, 'value' | 'onChange' | 'minDate' | 'maxDate'> {
  /** A day, or empty for none. */
  value?: Day;
  onChange: (day: Day) => void;
  min?: Day;
  max?: Day;
}

/**
 * A day of the Indian calendar, typed or chosen: written as everywhere on the pages, and never by the browser's locale. A click or
 * the arrow down opens the calendar.
 */
export function DayInput({ value = '', onChange, onBlur, min, max, ...input }: DayInputProps) {
  const today = useToday();
  const [opened, setOpened] = useState(false);

  function onKeyDown({ key }: KeyboardEvent): void {
    if (key === 'ArrowDown') setOpened(true);
    if (key === 'Escape' || key === 'Enter') setOpened(false);
  }

  function close(event: FocusEvent<HTMLInputElement>): void {
    setOpened(false);
    onBlur?.(event);
  }

  function choose(day: string | null): void {
    setOpened(false);
    onChange(day?.slice(0, 10) ?? '');
  }

  return (
    <DatesProvider settings={{ firstDayOfWeek: 0, consistentWeeks: true, locale: useLanguage() }}>
      <DateInput
        placeholder={dayInputTexts.like(dayText(today))}
        leftSection={<CalendarDays size={16} aria-hidden />}
        weekendDays={[]}
        valueFormat={(day) => dayText(day.slice(0, 10))}
        dateParser={(typed) => readDay(typed) ?? null}
        defaultDate={max !== undefined && max < today ? max : today}
        ariaLabels={calendarTexts}
        {...input}
        {...(min !== undefined && { minDate: min })}
        {...(max !== undefined && { maxDate: max })}
        value={value === '' ? null : value}
        onChange={choose}
        onBlur={close}
        onClick={() => setOpened(true)}
        onKeyDown={onKeyDown}
        // Escape closes the calendar first, then a dialog around it.
        data-mantine-stop-propagation={opened || undefined}
        popoverProps={{ opened }}
      />
    </DatesProvider>
  );
}
