import type { Day } from '#shared/domain/day.ts';
import { type Month, monthBefore, monthOf } from '#shared/domain/month.ts';

/** The months that an operator may look at: the last one that is over first, two years back, then the one of today. */
export function monthsUntil(today: Day): [Month, ...Month[]] {
  const current = monthOf(today);
  const months: [Month, ...Month[]] = [monthBefore(current)];
  for (let month = months[0]; months.length < 24;) months.push((month = monthBefore(month)));
  return [...months, current];
}
