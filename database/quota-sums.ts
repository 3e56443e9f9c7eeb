const countedBy = (condition: string): string =>
  `(select coalesce(sum(u.units), 0) from usage_counts u where ${condition} and u.counted)`;
const heldBy = (condition: string): string => `(select coalesce(sum(l.held), 0) from leases l where ${condition})`;

/** Whether a cycle `c` is free: `is_free_cycle` takes rows of the table alone, and the rules also read those of some customers. */
export const isFreeCycle = `c.price_paise = 0 and c.tenure <> 'TRIAL' and c.granted_reason is null`;

/** What free cycles used of an account. `days`: the condition on the day of a row, by the alias of its table. */
const usedOfFree = (account: string, days: (row: string) => string): string => `
  select coalesce(sum(${countedBy(`u.cycle_id = c.id and ${days('u')}`)}
    + ${heldBy(`l.activation_id = c.activation_id and l.cycle_id = c.id and ${days('l')}`)}), 0)
  from cycles c where c.customer_id = ${account}.customer_id and c.service_id = ${account}.service_id and ${isFreeCycle}`;

/**
 * What a quota says was taken is what was counted plus what gateways hold on lease, at every moment: each function of a gateway changes
 * both in one transaction. As queries that return one row with `fault` per violation. Days that retention has deleted are not missed.
 */
export const quotaSums: Readonly<Record<string, string>> = {
  'the quota of a cycle is what was counted and what gateways hold': `
    select 'cycle ' || c.id || ' has taken ' || coalesce(q.taken::text, 'nothing') || ', and ' || u.used || ' units were counted or are held' as fault
    from cycles c left join quota_cycles q on q.cycle_id = c.id
      cross join lateral (select ${countedBy('u.cycle_id = c.id')} + ${heldBy('l.activation_id = c.activation_id and l.cycle_id = c.id')} as used) u
    where coalesce(q.taken, 0) <> u.used`,
  'the quota of a day is what was counted and what gateways hold': `
    select 'activation ' || q.activation_id || ' has taken ' || q.taken || ' on ' || q.day || ', and ' || u.used || ' units were counted or are held' as fault
    from activations a join quota_days q on q.activation_id = a.id
      cross join lateral (select ${countedBy('u.activation_id = a.id and u.day = q.day')} + ${heldBy('l.activation_id = a.id and l.day = q.day')} as used) u
    where q.taken <> u.used`,
  'the free quota of a customer is what was counted and what gateways hold': `
    select 'customer ' || f.customer_id || ' has taken ' || f.taken || ' free units of ' || f.service_id || ' on ' || f.day || ', and ' || u.used || ' were counted or are held' as fault
    from free_quota_days f cross join lateral (${usedOfFree('f', (row) => `${row}.day = f.day`)}) u (used)
    where f.taken <> u.used
    union all
    select 'customer ' || w.customer_id || ' has taken ' || w.taken || ' free units of ' || w.service_id || ' from ' || w.from_date || ', and ' || u.used || ' were counted or are held'
    from free_quota_windows w cross join lateral (${usedOfFree('w', (row) => `w.from_date <= ${row}.day and ${row}.day < w.to_date`)}) u (used)
    where w.taken <> u.used`,
};
