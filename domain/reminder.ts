import { type Day, daysBetween } from '#domain/day.ts';

/** A customer is told this many days before a plan ends, when nothing is paid after it. */
export const endingNotices = [7, 3, 1] as const;
export type EndingNotice = (typeof endingNotices)[number];

/**
 * Which notice of a plan's end is due on a day: the nearest one whose day has come, so that after a day without anybody to
 * send it the customer gets one and not three. None for a plan that was had for no longer than the notice is early.
 * `since`: the day from which the plan was had; `toDate`: the first day after it.
 */
export function endingNoticeDue(plan: { since: Day; toDate: Day }, today: Day): EndingNotice | undefined {
  const daysLeft = daysBetween(today, plan.toDate);
  const notice = endingNotices.findLast((days) => daysLeft >= 1 && daysLeft <= days);
  return notice !== undefined && daysBetween(plan.since, plan.toDate) > notice ? notice : undefined;
}
