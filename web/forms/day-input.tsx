import '@mantine/core/styles/Popover.layer.css';
import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/hi';
import { DateInput, type DateInputProps, DatesProvider } from '@mantine/dates';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import type { Day } from '#domain/day.ts';
import { readDay } from '#domain/typed-day.ts';
import { useLanguage } from '#web/language/use-language.ts';
import classes from '#web/forms/day-input.module.css';
import { dayText } from '#web/ui/day-text.ts';
import { useToday } from '#web/ui/today.ts';
import { calendarTexts } from '#web/forms/texts.ts';

interface DayInputProps extends Omit<DateInputProps, 'value' | 'onChange' | 'minDate' | 'maxDate'> {
  /** A day, or empty for none. */
  value?: Day;
  onChange: (day: Day) => void;
  min?: Day;
  max?: Day;
}

/** A day of the Indian calendar, typed or chosen: written as everywhere on the pages, and never by the browser's locale. */
export function DayInput({ value = '', onChange, min, max, ...input }: DayInputProps) {
  const today = useToday();
  // Escape closes the calendar first, then a dialog around it.
  const [opened, setOpened] = useState(false);
  return (
    <DatesProvider settings={{ firstDayOfWeek: 0, consistentWeeks: true, locale: useLanguage() }}>
      <DateInput
        placeholder={dayText(today)}
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
        onChange={(day) => onChange(day?.slice(0, 10) ?? '')}
        data-mantine-stop-propagation={opened || undefined}
        popoverProps={{ onOpen: () => setOpened(true), onClose: () => setOpened(false) }}
        classNames={{ day: classes.day ?? '' }}
      />
    </DatesProvider>
  );
}
