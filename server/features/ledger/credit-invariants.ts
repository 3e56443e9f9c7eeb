/** Invariants of what is sold on credit terms (decision 081), in the form of `invariants`. */
export const creditInvariants: Readonly<Record<string, string>> = {
  'what is due of a bill is what the ledger has of it': `
    select 'bill ' || coalesce(b.cycle_id, l.cycle_id) || ' has ' || coalesce(b.due_paise::text, 'nothing') || ' due, and the ledger ' || coalesce(l.paise, 0) as fault
    from credit_bills b full join (
      select e.cycle_id, sum(l.amount_paise) as paise from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'receivables' group by e.cycle_id
    ) l on l.cycle_id = b.cycle_id
    where b.due_paise is distinct from l.paise or b.due_paise < 0`,
  'what was written off of a bill is what the ledger has of it, as an operator said': `
    select 'bill ' || coalesce(b.cycle_id, l.cycle_id) || ' has ' || coalesce(b.written_off_paise::text, 'nothing') || ' written off, and the ledger ' || coalesce(l.paise, 0) as fault
    from credit_bills b full join (
      select e.cycle_id, sum(l.amount_paise) as paise from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'bad_debts' group by e.cycle_id
    ) l on l.cycle_id = b.cycle_id
    where b.written_off_paise is distinct from coalesce(l.paise, 0) or b.due_paise > 0 and b.written_off_paise > 0
    union all
    select 'entry ' || e.id || ' writes off what no operator did' from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'bad_debts'
    where e.kind not in ('WRITTEN_OFF', 'REINSTATED') or (e.kind = 'WRITTEN_OFF') <> (l.amount_paise > 0)
      or e.kind = 'WRITTEN_OFF' and not exists (select from operator_actions a where a.action = 'customers.write-off' and a.target = e.cycle_id
        and a.effect @> jsonb_build_object('paise', l.amount_paise, 'entry', e.id))
      or (e.kind = 'REINSTATED') and not exists (select from ledger_entries w join ledger_lines o on o.entry_id = w.id and o.account = 'bad_debts' and o.amount_paise = -l.amount_paise
        where w.kind = 'WRITTEN_OFF' and w.payment_id = e.payment_id and w.id = 'write-off' || substr(e.id, 10))`,
  'of a bill no more money goes back than came, and no more is due than is left of its price': `
    select 'bill ' || b.cycle_id || ' gives back ' || -cash_left_of_bill(b.payment_id) || ' more than came' as fault
    from credit_bills b where cash_left_of_bill(b.payment_id) < 0
    union all
    select 'bill ' || b.cycle_id || ' has ' || b.owed_paise || ' owed, and ' || p.amount_paise - coalesce(sum(r.amount_paise - r.covers_paise), 0) || ' of its price left'
    from credit_bills b join payments p on p.provider_payment_id = b.payment_id left join refunds r on r.payment_id = b.payment_id and r.origin <> 'TDS'
    group by b.cycle_id, b.owed_paise, p.amount_paise having b.owed_paise > p.amount_paise - coalesce(sum(r.amount_paise - r.covers_paise), 0)`,
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
