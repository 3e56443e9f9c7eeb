import { addDays } from '#shared/domain/day.ts';
import type { LogReader } from '#shared/request-log/log.ts';
import { type AgeNow, daysKept } from './old-rows.ts';

/** Makes room for today's calls and those of the next days, and deletes old ones where `deleteOldRows` doesn't. */
export async function keepLogDays(requestLog: LogReader, now: AgeNow): Promise<void> {
  await requestLog.prepare(now.today);
  if (requestLog.isApart) await requestLog.expire(addDays(now.today, -daysKept(now, 'keepRequestLogDays')));
}
