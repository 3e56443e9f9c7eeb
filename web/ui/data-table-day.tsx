import { Text } from '@mantine/core';
import type { Day } from '#shared/domain/day.ts';
import classes from '#web/ui/data-table-day.module.css';
import { dayText, relativeDayText } from '#web/ui/localized-days.ts';

/** A day in a table: the relative form with the date under it, or the date alone when it is long ago. */
export function DayCell({ day, today }: { day: Day; today: Day }) {
  const relative = relativeDayText(day, today);
  const date = dayText(day);
  return (
    <Text span inherit className={classes.day}>
      {relative}
      {relative !== date && <span className={classes.date}>{date}</span>}
    </Text>
  );
}
