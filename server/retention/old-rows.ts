import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Age, AgeLimit, KeepSetting } from '#shared/database/fact-builders.ts';
import { condition } from '#shared/database/expressions.ts';
import { addDays, type Day, startOfDay } from '#shared/domain/day.ts';
import { defaultRetention, type Retention } from './retention-settings.ts';

/** The reference times for row ages: the machine's time, and the product's billing day. */
export interface AgeNow {
  machine: Date;
  today: Day;
  /** The operator's choice; the defaults if absent. */
  keep?: Retention;
}

const dayMs = 86_400_000;

export const daysKept = ({ keep = defaultRetention }: AgeNow, days: number | KeepSetting): number =>
  typeof days === 'number' ? days : keep[days];

function before(now: AgeNow, { days, by }: AgeLimit): Date | Day {
  const kept = daysKept(now, days);
  if (by === 'machine') return new Date(now.machine.getTime() - kept * dayMs);
  const day = addDays(now.today, -kept);
  return by === 'day' ? day : new Date(startOfDay(day));
}

/** The condition that finds the rows of a table that are older than it keeps them; undefined if it keeps all, or drops days. */
export function oldRows(age: Age, now: AgeNow): RawBuilder<SqlBool> | undefined {
  if (!('olderThan' in age)) return undefined;
  const limits = age.olderThan.map((limit) => condition`${sql.ref(limit.column)} < ${before(now, limit)}`);
  return sql`(${sql.join(limits, sql` or `)})`;
}
