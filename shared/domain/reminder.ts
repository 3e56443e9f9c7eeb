import { type Day, daysBetween } from '#shared/domain/day.ts';

/** How many days before a plan's end a customer gets a notice, when nothing is paid after it. */
export const endingNotices = [7, 3, 1] as const;
export type EndingNotice = (typeof endingNotices)[number];

/**
 * The notice of a plan's end that is due on a day: the nearest one whose day has come, so that after an outage the
 * customer gets one and not three. None if the plan is no longer than the notice period. `since`: the first day of the
 * plan; `toDate`: the first day after it.
 */
export function endingNoticeDue(plan: { since: Day; toDate: Day }, today: Day): EndingNotice | undefined {
  const daysLeft = daysBetween(today, plan.toDate);
  const notice = endingNotices.findLast((days) => daysLeft >= 1 && daysLeft <= days);
  return notice !== undefined && daysBetween(plan.since, plan.toDate) > notice ? notice : undefined;
}
