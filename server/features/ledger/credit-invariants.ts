/** Invariants of what is sold on credit terms (decision 081), in the form of `invariants`. */
export const creditInvariants: Readonly<Record<string, string>> = {
  'what is due of a bill is what the ledger has of it': `
    select 'bill ' || coalesce(b.cycle_id, l.cycle_id) || ' has ' || coalesce(b.due_paise::text, 'nothing') || ' due, and the ledger ' || coalesce(l.paise, 0) as fault
    from credit_bills b full join (
      select e.cycle_id, sum(l.amount_paise) as paise from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'receivables' group by e.cycle_id
    ) l on l.cycle_id = b.cycle_id
    where b.due_paise is distinct from l.paise or b.due_paise < 0`,
  'of a bill no more money goes back than came, and no more is due than is left of its price': `
    select 'bill ' || b.cycle_id || ' gives back ' || -cash_left_of_bill(b.payment_id) || ' more than came' as fault
    from credit_bills b where cash_left_of_bill(b.payment_id) < 0
    union all
    select 'bill ' || b.cycle_id || ' has ' || b.due_paise || ' due, and ' || p.amount_paise - coalesce(sum(r.amount_paise - r.covers_paise), 0) || ' of its price left'
    from credit_bills b join payments p on p.provider_payment_id = b.payment_id left join refunds r on r.payment_id = b.payment_id and r.origin <> 'TDS'
    group by b.cycle_id, b.due_paise, p.amount_paise having b.due_paise > p.amount_paise - coalesce(sum(r.amount_paise - r.covers_paise), 0)`,
  'a bill is of a promise over the price of its cycle, and every promise has its bill': `
    select 'bill ' || b.cycle_id || ' is of no promise over the price of its cycle' as fault from credit_bills b
      left join payments p on p.provider_payment_id = b.payment_id and p.method = 'terms' and p.use = 'CYCLE'
      left join cycles c on c.id = b.cycle_id
    where p.provider_payment_id is null or p.provider_payment_id not like 'TRM-%' or p.cycle_id <> b.cycle_id or p.customer_id <> b.customer_id
      or p.amount_paise <> c.price_paise or b.billed_on <> (p.captured_at at time zone 'Asia/Kolkata')::date
    union all
    select 'payment ' || p.provider_payment_id || ' is a promise without a bill' from payments p
    where (p.method = 'terms' or p.provider_payment_id like 'TRM-%') and not exists (select from credit_bills b where b.payment_id = p.provider_payment_id)`,
  'the terms of a customer are those of the last entry in the audit log': `
    select 'the terms of customer ' || t.customer_id || ' are not what the audit log says' as fault from credit_terms t
      left join lateral (select a.effect from operator_actions a where a.action = 'customers.terms' and a.target = t.customer_id
        order by a.position desc limit 1) last on true
    where last.effect is null or not last.effect @> jsonb_build_object('limitPaise', t.limit_paise, 'days', t.days, 'stopAfterDays', t.stop_after_days)`,
};
