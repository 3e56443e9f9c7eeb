/** Invariants of tax that customers deducted at source (product §6.27). */
export const tdsInvariants: Readonly<Record<string, string>> = {
  'tax deducted at source is refunded once, for an accepted claim': `
    select 'TDS claim ' || t.id || ' (' || t.status || ') and refund ' || coalesce(r.id, 'none') || ' differ' as fault
    from tds_claims t left join refunds r on r.id = t.refund_id
    where (t.status = 'ACCEPTED') <> (r.id is not null) or r.id is not null and (r.origin, r.cycle_id, r.customer_id, r.amount_paise)
      is distinct from ('TDS', t.cycle_id, t.customer_id, t.amount_paise)
    union all
    select 'refund ' || r.id || ' is for no accepted TDS claim' from refunds r
    where r.origin = 'TDS' and r.payout <> 'WITHHELD' and r.foreign_id is null and not exists (select from tds_claims t where t.status = 'ACCEPTED' and (t.refund_id = r.id
      or exists (select from refunds w where w.id = t.refund_id and w.payout = 'WITHHELD' and w.payment_id = r.payment_id and w.cycle_id = r.cycle_id)))
    union all
    select 'entry ' || e.id || ' is in the account of TDS and belongs to no such refund' from ledger_entries e
      join ledger_lines l on l.entry_id = e.id and l.account = 'tds'
    where not exists (select from refunds r where r.id = e.refund_id and r.origin = 'TDS' and e.id = 'due:' || r.id)
      and not exists (select from refunds r where e.id = 'withheld:' || r.id and r.withheld_paise = -l.amount_paise)
      and not exists (select from refunds r where r.cycle_id = e.cycle_id and r.payout = 'WITHHELD' and money_of(r.payment_id) = e.payment_id
        and r.amount_paise = l.amount_paise and e.kind in ('CAPTURED_FOR_CYCLE', 'HELD_FOR_CYCLE', 'CAPTURED_FOR_BILL', 'HELD_FOR_BILL'))
    union all
    select 'payment ' || p.provider_payment_id || ' has ' || t.tds_paise || ' withheld, and its plans say ' || coalesce(sum(r.amount_paise), 0)
    from payments p join bank_transfers t on t.payment_id = p.provider_payment_id
      left join refunds r on r.payout = 'WITHHELD' and (r.payment_id = p.provider_payment_id
        or r.cycle_id = p.cycle_id and money_of(r.payment_id) = p.provider_payment_id)
    group by p.provider_payment_id, p.use, t.tds_paise having coalesce(sum(r.amount_paise), 0) <> case when p.use in ('CYCLE', 'DUE') then t.tds_paise else 0 end
    union all
    select 'refund ' || r.id || ' is withheld on ' || coalesce(r.booked_on::text, 'no day') || ', which is no day of its money' from refunds r
    where r.payout = 'WITHHELD' and coalesce(r.booked_on not in (money_came_on(r.payment_id), (r.created_at at time zone 'Asia/Kolkata')::date), true)
    union all
    select 'refund ' || r.id || ' is withheld from a payment that is no bank transfer' from refunds r
    where r.payout = 'WITHHELD' and not exists (select from bank_transfers t where t.payment_id = money_of(r.payment_id) and t.tds_percent is not null)
    union all
    select 'cycle ' || cycle_id || ' has ' || count(*) || ' TDS claims that wait or were accepted' from tds_claims
    where status <> 'REFUSED' group by cycle_id having count(*) > 1`,
  'of a price less tax no more cash goes back than came, and of a part of it no greater part, unless a certificate proves the tax': `
    select 'cycle ' || r.cycle_id || ' gives ' || sum(r.amount_paise - r.covers_paise - r.withheld_paise) filter (where r.payout <> 'WITHHELD')
      || ' back in cash of ' || cp.amount_paise - t.unproved || ' that came or is proved' as fault
    from refunds r join cycle_payments cp on cp.provider_payment_id = r.payment_id and cp.cycle_id = r.cycle_id
      join lateral (select case when exists (select from tds_claims t where t.cycle_id = w.cycle_id and t.status = 'ACCEPTED') then 0 else w.amount_paise end
        as unproved from refunds w where w.cycle_id = r.cycle_id and w.payout = 'WITHHELD') t on true
    group by r.cycle_id, cp.amount_paise, t.unproved
    having sum(r.amount_paise - r.covers_paise - r.withheld_paise) filter (where r.payout <> 'WITHHELD') > cp.amount_paise - t.unproved
    union all
    select 'cycle ' || r.cycle_id || ' gives ' || sum(r.amount_paise - r.covers_paise) filter (where r.origin not in ('TDS', 'EXCESS_TAX', 'CORRECTION'))
      || ' of its price back, of which only ' || sum(r.withheld_paise) || ' is tax that nobody proved'
    from refunds r join cycle_payments cp on cp.provider_payment_id = r.payment_id and cp.cycle_id = r.cycle_id
    where not exists (select from tds_claims t where t.cycle_id = r.cycle_id and t.status = 'ACCEPTED')
    group by r.cycle_id, cp.amount_paise
    having sum(r.amount_paise) filter (where r.payout = 'WITHHELD')
        * sum(r.amount_paise - r.covers_paise) filter (where r.origin not in ('TDS', 'EXCESS_TAX', 'CORRECTION'))
      > sum(r.withheld_paise) * cp.amount_paise`,
  'a decision about tax deducted at source is in the audit log, with its reason or its refund': `
    select 'TDS claim ' || t.id || ' is ' || t.status || ', which is not in the audit log' as fault from tds_claims t
    where t.status <> 'WAITING' and not exists (select from operator_actions a where a.target = t.id and a.customer_id = t.customer_id
      and case t.status when 'ACCEPTED' then a.action = 'tds.accept' and a.effect ->> 'refundId' = t.refund_id
        else a.action = 'tds.refuse' and a.reason = t.reason end)`,
  'tax deducted at source is about an invoice to a GSTIN and at most 10 % of its taxable value, or what was withheld of it': `
    select 'TDS claim ' || t.id || ' over ' || t.amount_paise || ' is not about ' || coalesce(d.number, t.invoice_id) as fault
    from tds_claims t left join documents d on d.id = t.invoice_id
    where (d.kind, d.cycle_id, d.customer_id) is distinct from ('INVOICE', t.cycle_id, t.customer_id)
      or not tds_is_lawful(d.cycle_id, d.content #>> '{recipient,gstin}', d.taxable_paise, t.amount_paise)
        -- It was declared before the bill was paid less another tax, and can't be accepted any more.
        and not (t.status <> 'ACCEPTED' and d.content #>> '{recipient,gstin}' is not null and t.amount_paise <= ceil(d.taxable_paise / 1000.0) * 100)
    union all
    select 'TDS claim ' || t.id || ' is about ' || t.quarter || ', which is not between the day of its money and its declaration'
    from tds_claims t join cycles c on c.id = t.cycle_id
    where t.quarter not between quarter_of(cycle_money_came_on(c.id)) and quarter_of(t.declared_on)
    union all
    select 'the certificate of TDS claim ' || t.id || ' has changed' from tds_claims t where sha256(t.certificate) <> t.certificate_sha256`,
};
