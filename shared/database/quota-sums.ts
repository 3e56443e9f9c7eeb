const countedBy = (condition: string): string =>
  `(select coalesce(sum(u.units), 0) from usage_counts u where ${condition} and u.counted)`;
const heldBy = (condition: string): string => `(select coalesce(sum(l.held), 0) from leases l where ${condition})`;

/** Whether a cycle `c` is free: `is_free_cycle` takes rows of the table alone, and the rules also read those of some customers. */
export const isFreeCycle = `c.price_paise = 0 and c.tenure <> 'TRIAL' and c.granted_reason is null`;

/** Whose a counter `q` is, and what was taken of it when. */
export const takenOf = `case q.kind when 'cycle' then 'cycle ' || q.scope_id when 'day' then 'activation ' || q.scope_id else 'customer ' || q.customer_id end
  || ' has taken ' || q.taken || case when q.kind in ('free-day', 'free-window') then ' free units of ' || q.service_id else '' end
  || case q.kind when 'cycle' then '' when 'free-window' then ' from ' || q.from_date else ' on ' || q.from_date end`;

const ofCycle = `${countedBy('u.cycle_id = c.id')} + ${heldBy('l.activation_id = c.activation_id and l.cycle_id = c.id')}`;

/** What was counted of a counter `q` and what gateways hold: each kind by the index that finds its rows. */
const used = `case q.kind
  when 'day' then ${countedBy('u.activation_id = q.scope_id and u.day = q.from_date')} + ${heldBy('l.activation_id = q.scope_id and l.day = q.from_date')}
  when 'cycle' then (select ${ofCycle} from cycles c where c.id = q.scope_id)
  else (select coalesce(sum(${countedBy('u.cycle_id = c.id and q.from_date <= u.day and u.day < q.to_date')}
      + ${heldBy('l.activation_id = c.activation_id and l.cycle_id = c.id and q.from_date <= l.day and l.day < q.to_date')}), 0)
    from cycles c where c.customer_id = q.customer_id and c.service_id = q.service_id and ${isFreeCycle}) end`;

/**
 * What a quota says was taken is what was counted plus what gateways hold on lease, at every moment: each function of a gateway changes
 * both in one transaction. As queries that return one row with `fault` per violation. Days that retention has deleted are not missed.
 */
export const quotaSums: Readonly<Record<string, string>> = {
  'what a quota says was taken is what was counted and what gateways hold': `
    select ${takenOf} || ', and ' || coalesce(u.used::text, 'none that can be found') || ' were counted or are held' as fault
    from quota_counters q cross join lateral (select ${used} as used) u where q.taken is distinct from u.used
    union all
    select 'cycle ' || c.id || ' has taken nothing, and ' || u.used || ' were counted or are held'
    from cycles c cross join lateral (select ${ofCycle} as used) u
    where u.used <> 0 and not exists (select from quota_counters q where q.kind = 'cycle' and q.scope_id = c.id)`,
};
