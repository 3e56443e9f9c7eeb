import { sql } from 'kysely';
import type { Db } from '#shared/database/connect.ts';
import { databaseTime } from '#shared/database/expressions.ts';
import type { Day } from '#shared/domain/day.ts';

export interface DayRow {
  serviceId: string;
  day: Day;
  checks: number;
  failed: number;
  checkedAt: Date;
  recent: string;
}

/** Adds a check of each API to its day. */
export async function storeCheck(
  db: Db,
  day: Day,
  checkedAt: Date,
  checks: readonly { productId: string; isUp: boolean }[],
): Promise<void> {
  await db
    .insertInto('api_status_days')
    .values(
      checks.map(({ productId, isUp }) => ({
        service_id: productId,
        day,
        checks: 1,
        failed: isUp ? 0 : 1,
        checked_at: checkedAt,
        recent: isUp ? 'u' : 'd',
      })),
    )
    .onConflict((known) =>
      known.columns(['service_id', 'day']).doUpdateSet((row) => ({
        checks: sql`${row.ref('api_status_days.checks')} + 1`,
        failed: sql`${row.ref('api_status_days.failed')} + ${row.ref('excluded.failed')}`,
        checked_at: row.ref('excluded.checked_at'),
        recent: sql`right(${row.ref('api_status_days.recent')} || ${row.ref('excluded.recent')}, 5)`,
      })),
    )
    .execute();
}

/** By day. */
export function readDays(db: Db, from: Day): Promise<DayRow[]> {
  return db
    .selectFrom('api_status_days')
    .select(['service_id as serviceId', 'day', 'checks', 'failed', 'checked_at as checkedAt', 'recent'])
    .where('day', '>=', from)
    .orderBy('day')
    .execute();
}

/** Whether a gateway renews its lease. */
export async function hasRunningGateway(db: Db): Promise<boolean> {
  const running = db.selectFrom('gateways').select('journal_id').where('lease_until', '>', databaseTime).limit(1);
  return (await running.executeTakeFirst()) !== undefined;
}
