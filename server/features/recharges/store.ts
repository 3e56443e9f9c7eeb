import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { addDays, dayOf, startOfDay } from '#shared/domain/day.ts';
import { paceDays } from '#shared/domain/quota-pace.ts';
import { toldBeforeMs } from '#shared/domain/recharge.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

const short = z.object({ id: z.string(), customerId: z.string() });

/** More than a count of units is off. */
const marginMs = 3_600_000;

/**
 * Activations with recharges whose units may run short in the next days: the few that are worth a closer look. Each for which `unitsEndAt` says so is among
 * them, since it knows the same pace.
 */
export async function selectShort(db: Db, nowMs: number): Promise<z.output<typeof short>[]> {
  const today = dayOf(nowMs);
  const since = new Date(startOfDay(addDays(today, 1 - paceDays)));
  const found = await sql`
    select a.id, a.customer_id as "customerId"
    from mandates m join activations a on a.id = m.activation_id
      join cycles c on c.activation_id = a.id and c.adds_to is null and c.status = any(${accessStatuses}) and c.from_date <= ${today} and ${today} < c.to_date
      cross join lateral quota_used(a.id, c.id, ${today}) q
      cross join lateral (
        select c.monthly_quota + pack_units(c.id) - q.cycle_used as units,
          extract(epoch from ${new Date(nowMs)}::timestamptz - greatest(${since}::timestamptz, c.from_date::timestamp at time zone 'Asia/Kolkata', coalesce(c.paid_at, c.created_at))) * 1000 as ms
      ) remaining
      cross join lateral (
        select coalesce(sum(units), 0) as week, coalesce(sum(units) filter (where day = ${today}), 0) as today from usage_counts
        where activation_id = a.id and counted and day > ${addDays(today, -paceDays)} and day >= c.from_date
      ) used
    where m.recharge_pack_id is not null and m.state in ('IN_FORCE', 'PAUSED') and a.deleted_at is null
      and (remaining.units <= 0 or used.today >= remaining.units or remaining.units * remaining.ms <= used.week * ${toldBeforeMs + marginMs}::bigint)
    order by a.id`.execute(db);
  return checkedRows(short, found);
}
