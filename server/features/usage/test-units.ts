import { sql } from 'kysely';
import type { Db } from '#shared/database/connect.ts';
import { addDays, type Day, daysBetween } from '#shared/domain/day.ts';

/** Sets the units that a cycle has used on a day, as gateways count them; the key of these calls was revoked later. */
export const useUnits = (db: Db, cycleId: string, day: Day, units: number): Promise<void> =>
  count(db, cycleId, [{ day, units }]);

/** The same, spread evenly over the days of the cycle: no daily quota is exceeded. */
export async function useUnitsOfCycle(db: Db, cycleId: string, units: number): Promise<void> {
  const { from_date: from, to_date: to } = await db
    .selectFrom('cycles')
    .select(['from_date', 'to_date'])
    .where('id', '=', cycleId)
    .executeTakeFirstOrThrow();
  const length = daysBetween(from, to);
  const upTo = (at: number): number => Math.floor((units * at) / length);
  const days = Array.from({ length }, (_, at) => ({ day: addDays(from, at), units: upTo(at + 1) - upTo(at) }));
  await count(db, cycleId, days);
}

async function count(db: Db, cycleId: string, days: readonly { day: Day; units: number }[]): Promise<void> {
  const keyId = `KEY-${cycleId}`;
  await sql`insert into api_keys (id, activation_id, customer_id, name, key_hash, hint, created_at, revoked_at)
    select ${keyId}, activation_id, customer_id, 'used', sha256(id::bytea), 'abcd', now(), now() from cycles where id = ${cycleId}
    on conflict do nothing`.execute(db);
  await sql`insert into usage_counts (activation_id, cycle_id, key_id, day, status_class, counted, calls, last_at, units)
    select c.activation_id, c.id, ${keyId}, d.day, 2, true, 1, now(), d.units
    from cycles c, jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as d (day date, units integer) where c.id = ${cycleId}
    on conflict (activation_id, day, key_id, cycle_id, status_class, counted) do update set units = excluded.units`.execute(
    db,
  );
  await sql`insert into quota_counters (kind, scope_id, customer_id, service_id, from_date, to_date, quota, taken)
    select s.kind, s.scope_id, c.customer_id, c.service_id, d.from_date, d.to_date, sum(u.units), sum(u.units)
    from usage_counts u join cycles c on c.id = u.cycle_id cross join quota_scopes(c) s cross join lateral (
      select case s.kind when 'cycle' then '-infinity' else u.day end, case s.kind when 'cycle' then 'infinity' else u.day + 1 end
    ) d (from_date, to_date)
    where u.key_id = ${keyId} and s.kind in ('day', 'cycle') group by 1, 2, 3, 4, 5, 6
    on conflict (kind, scope_id, to_date) do update set taken = excluded.taken, quota = excluded.quota`.execute(db);
}
