import type { TestDatabase } from '#database/test-database.ts';

/** Rows whose quota taken differs from the calls counted plus the units on lease; there must never be any. */
export async function findQuotaMismatches({ pool }: Pick<TestDatabase, 'pool'>): Promise<unknown[]> {
  const days = await pool.query(`
    select q.activation_id, q.day, q.taken, u.counted, l.held from quota_days q
    left join lateral (select coalesce(sum(units), 0) as counted from usage_counts u
      where u.activation_id = q.activation_id and u.day = q.day and u.counted) u on true
    left join lateral (select coalesce(sum(held), 0) as held from leases l
      where l.activation_id = q.activation_id and l.day = q.day) l on true
    where q.taken <> u.counted + l.held`);
  const cycles = await pool.query(`
    select q.cycle_id, q.taken, u.counted, l.held from quota_cycles q
    left join lateral (select coalesce(sum(units), 0) as counted from usage_counts u where u.cycle_id = q.cycle_id and u.counted) u on true
    left join lateral (select coalesce(sum(held), 0) as held from leases l where l.cycle_id = q.cycle_id) l on true
    where q.taken <> u.counted + l.held`);
  const free = await pool.query(`
    select f.customer_id, f.service_id, f.day, f.taken, t.taken as parts from free_quota_days f
    cross join lateral (select
      (select coalesce(sum(units), 0) from usage_counts u join cycles c on c.id = u.cycle_id where c.customer_id = f.customer_id
        and c.service_id = f.service_id and is_free_cycle(c) and u.day = f.day and u.counted) +
      (select coalesce(sum(held), 0) from leases l join cycles c on c.id = l.cycle_id where c.customer_id = f.customer_id
        and c.service_id = f.service_id and is_free_cycle(c) and l.day = f.day) as taken) t
    where f.taken <> t.taken`);
  const windows = await pool.query(`
    select w.customer_id, w.service_id, w.from_date, w.taken, t.taken as parts from free_quota_windows w
    cross join lateral (select coalesce(sum(f.taken), 0) as taken from free_quota_days f where f.customer_id = w.customer_id
      and f.service_id = w.service_id and w.from_date <= f.day and f.day < w.to_date) t
    where w.taken <> t.taken`);
  return [...days.rows, ...cycles.rows, ...free.rows, ...windows.rows];
}

/** Units of quota that calls of an activation used. */
export async function unitsOf({ pool }: TestDatabase, activationId: string): Promise<number> {
  const { rows } = await pool.query<{ units: number }>(
    'select coalesce(sum(units), 0) as units from usage_counts where activation_id = $1',
    [activationId],
  );
  return rows[0]?.units ?? 0;
}
