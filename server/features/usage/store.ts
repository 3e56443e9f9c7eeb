import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '#shared/database/connect.ts';
import { sumOf } from '#shared/database/expressions.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import type { Day } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { Owner } from '#server/portal.ts';

const quotaUsedSchema = z.object({
  activationId: z.string(),
  /** Units used on this day. */
  day: z.number(),
  /** Units used of the monthly quota. */
  cycle: z.number(),
  /** The end of the window of free quota in which the cycle starts; null if it starts in none. */
  windowEnd: z.string().nullable(),
});
export type QuotaUsed = z.output<typeof quotaUsedSchema>;

/**
 * The quota used by each of the owner's cycles that gives access on a day. The free quota belongs to customer and product: usage of
 * earlier free cycles is included (product §7.3).
 */
export async function selectQuotaUsed(owner: Owner, db: Db | Tx, day: Day): Promise<QuotaUsed[]> {
  const used = await sql`
    select c.activation_id as "activationId", u.day_used as "day", u.cycle_used as "cycle",
      free_window_end(c) as "windowEnd"
    from cycles c cross join lateral quota_used(c.activation_id, c.id, ${day}) u
    where c.customer_id = ${owner.customerId} and c.status = any(${accessStatuses})
      and c.from_date <= ${day} and ${day} < c.to_date and c.adds_to is null`.execute(db);
  return checkedRows(quotaUsedSchema, used);
}

/** Units used per day, from `from` up to but excluding `to`. */
export async function selectDailyUnits(
  owner: Owner,
  db: Db | Tx,
  activationId: string,
  from: Day,
  to: Day,
): Promise<Map<Day, number>> {
  const rows = await db
    .selectFrom('usage_counts')
    .innerJoin('activations', 'activations.id', 'usage_counts.activation_id')
    .select((count) => ['day', sumOf(count.ref('units')).as('units')])
    .where('activations.customer_id', '=', owner.customerId)
    .where('usage_counts.activation_id', '=', activationId)
    .where('counted', '=', true)
    .where('day', '>=', from)
    .where('day', '<', to)
    .groupBy('day')
    .execute();
  return new Map(rows.map((row) => [row.day, row.units]));
}

/**
 * Calls by day, activation and key, both days included; with those of deleted activations. A key that was made after the backup which was
 * restored has only its id.
 */
export function selectReport(owner: Owner, db: Db, from: Day, to: Day) {
  return db
    .selectFrom('usage_counts')
    .innerJoin('activations', 'activations.id', 'usage_counts.activation_id')
    .leftJoin('api_keys', 'api_keys.id', 'usage_counts.key_id')
    .select((count) => [
      'day',
      'usage_counts.activation_id',
      'activations.service_id',
      'usage_counts.key_id',
      count.fn.coalesce('api_keys.name', 'usage_counts.key_id').as('key_name'),
      sumOf(count.ref('calls'), count('counted', '=', true)).as('counted'),
      sumOf(count.ref('calls'), count('counted', '=', false)).as('free'),
      sumOf(count.ref('units')).as('units'),
    ])
    .where('activations.customer_id', '=', owner.customerId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy(['day', 'usage_counts.activation_id', 'activations.service_id', 'usage_counts.key_id', 'api_keys.name'])
    .orderBy('day')
    .orderBy('usage_counts.activation_id')
    .orderBy('api_keys.name')
    .execute();
}

/** A billing cycle with the number of its document. */
export function selectCycle(owner: Owner, db: Db, cycleId: string) {
  return db
    .selectFrom('cycles')
    .leftJoin('current_papers', 'current_papers.cycle_id', 'cycles.id')
    .select((quota) => [
      quota.fn<number>('pack_units', ['cycles.id']).as('pack_units'),
      'cycles.activation_id',
      'cycles.plan',
      'cycles.from_date',
      'cycles.to_date',
      'cycles.monthly_quota',
      'current_papers.number',
    ])
    .where('cycles.id', '=', cycleId)
    .where('cycles.customer_id', '=', owner.customerId)
    .executeTakeFirst();
}

/** The calls of a cycle as they were counted, oldest day first. */
export function selectCycleCalls(owner: Owner, db: Db, cycleId: string) {
  return db
    .selectFrom('usage_counts')
    .innerJoin('cycles', 'cycles.id', 'usage_counts.cycle_id')
    .leftJoin('api_keys', 'api_keys.id', 'usage_counts.key_id')
    .select((count) => [
      'day',
      'key_id',
      count.fn.coalesce('api_keys.name', 'key_id').as('key_name'),
      'status_class',
      'counted',
      'calls',
      'units',
    ])
    .where('cycles.customer_id', '=', owner.customerId)
    .where('usage_counts.cycle_id', '=', cycleId)
    .orderBy('day')
    .orderBy('api_keys.created_at')
    .orderBy('key_id')
    .orderBy('status_class')
    .orderBy('counted', 'desc')
    .execute();
}

/** All activations of the owner, including deleted ones, with the daily quota of the plan that runs on a day. */
export function selectDailyQuotas(owner: Owner, db: Db, day: Day) {
  return db
    .selectFrom('activations')
    .leftJoin('cycles', (join) =>
      join
        .onRef('cycles.activation_id', '=', 'activations.id')
        .on('cycles.status', 'in', accessStatuses)
        .on('cycles.from_date', '<=', day)
        .on('cycles.to_date', '>', day)
        .on('cycles.adds_to', 'is', null),
    )
    .select((quota) => [
      'activations.id',
      'activations.service_id',
      'activations.deleted_at',
      'cycles.daily_quota',
      quota.fn<number>('pack_units', ['cycles.id']).as('pack_units'),
    ])
    .where('activations.customer_id', '=', owner.customerId)
    .orderBy('activations.created_at')
    .execute();
}

/** The total of counted calls of each activation, as a marker that changes whenever a call is counted. */
export async function selectTotals(db: Db, activationIds: string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('usage_counts')
    .select((count) => ['activation_id', sumOf(count.ref('calls')).as('calls')])
    .where('activation_id', 'in', activationIds)
    .groupBy('activation_id')
    .execute();
  return new Map(rows.map((row) => [row.activation_id, row.calls]));
}
