import { sql } from 'kysely';
import type { Db } from '#database/connect.ts';
import type { Day } from '#domain/day.ts';
import type { Caller } from '#server/portal.ts';

/** Calls counted against the quota of each of the caller's activations on a day. */
export async function selectDayUse(caller: Caller, db: Db, day: Day): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('usage_counts')
    .innerJoin('activations', 'activations.id', 'usage_counts.activation_id')
    .select(['usage_counts.activation_id', sql<number>`sum(calls)`.as('used')])
    .where('activations.customer_id', '=', caller.customerId)
    .where('day', '=', day)
    .where('counted', '=', true)
    .groupBy('usage_counts.activation_id')
    .execute();
  return new Map(rows.map((row) => [row.activation_id, row.used]));
}

/** Calls counted against a cycle's quota. */
export async function selectCycleUse(caller: Caller, db: Db, cycleId: string): Promise<number> {
  const row = await db
    .selectFrom('usage_counts')
    .innerJoin('activations', 'activations.id', 'usage_counts.activation_id')
    .select(sql<number>`coalesce(sum(calls), 0)`.as('used'))
    .where('activations.customer_id', '=', caller.customerId)
    .where('cycle_id', '=', cycleId)
    .where('counted', '=', true)
    .executeTakeFirstOrThrow();
  return row.used;
}

/** Calls counted day by day, from a day up to and without another. */
export async function selectDailyCalls(
  caller: Caller,
  db: Db,
  activationId: string,
  from: Day,
  to: Day,
): Promise<Map<Day, number>> {
  const rows = await db
    .selectFrom('usage_counts')
    .innerJoin('activations', 'activations.id', 'usage_counts.activation_id')
    .select(['day', sql<number>`sum(calls)`.as('calls')])
    .where('activations.customer_id', '=', caller.customerId)
    .where('usage_counts.activation_id', '=', activationId)
    .where('counted', '=', true)
    .where('day', '>=', from)
    .where('day', '<', to)
    .groupBy('day')
    .execute();
  return new Map(rows.map((row) => [row.day, row.calls]));
}
