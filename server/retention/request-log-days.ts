import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

/** The request log has a table for each day (decision 051). Days without one are stored together until they get it. */
const daysAhead = 7;

const count = z.object({ days: z.number() });

/** Makes the tables of today and the next days that are missing; returns how many. */
export async function addDaysAhead(db: Db, today: Day): Promise<number> {
  const made =
    await sql`select add_request_log_days(${addDays(today, -1)}, ${addDays(today, daysAhead)}) as days`.execute(db);
  return checkedRows(count, made)[0]?.days ?? 0;
}

/** Drops what was logged on days before this one; returns how many tables. */
export async function dropDays(db: Db, before: Day): Promise<number> {
  const dropped = await sql`select drop_request_log_days(${before}) as days`.execute(db);
  return checkedRows(count, dropped)[0]?.days ?? 0;
}
