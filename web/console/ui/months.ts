import { addDays, type Day } from '#shared/domain/day.ts';
import { firstDayOf, type Month, monthOf } from '#shared/domain/month.ts';

const before = (month: Month): Month => monthOf(addDays(firstDayOf(month), -1));

/** The months that an operator may look at: the last one that is over first, two years back, then the one of today. */
export function monthsUntil(today: Day): [Month, ...Month[]] {
  const current = monthOf(today);
  const months: [Month, ...Month[]] = [before(current)];
  for (let month = months[0]; months.length < 24;) months.push((month = before(month)));
  return [...months, current];
}
