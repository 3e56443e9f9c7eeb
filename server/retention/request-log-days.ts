import { requestLogDays } from '#shared/contract/request-log.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import type { LogReader } from '#shared/request-log/log.ts';
import { type AgeNow, daysKept } from './old-rows.ts';

/** Makes room for today's calls and those of the next days, and deletes old ones where `deleteOldRows` doesn't. */
export async function keepLogDays(requestLog: LogReader, now: AgeNow): Promise<void> {
  await requestLog.prepare(now.today);
  if (requestLog.isApart || requestLog.moveDays !== undefined)
    await requestLog.expire(addDays(now.today, -daysKept(now, 'keepRequestLogDays')));
}

/** Moves what no page shows any more to where old days lie; a day longer, since clocks of processes differ. */
export const moveLogDays = async (requestLog: LogReader, today: Day, stopping?: AbortSignal): Promise<number> =>
  (await requestLog.moveDays?.(addDays(today, -requestLogDays - 1), stopping)) ?? 0;
