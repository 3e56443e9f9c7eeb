/** Invariants between settlements, disputes and the ledger, in the form of `invariants`. */
export const settlementInvariants: Readonly<Record<string, string>> = {
  'every item of a settlement has its entry': `
    select 'item ' || i.entity_id || ' of settlement ' || coalesce(i.settlement_id, '(none)') || ' does not match its entry' as fault
    from settlement_items i left join settlements s on s.settlement_id = i.settlement_id
      left join ledger_entries e on e.id = 'settled:' || i.settlement_id || ':' || i.entity_id
      left join ledger_entries f on f.id = 'failed:' || i.settlement_id || ':' || i.entity_id
      cross join lateral (select
        coalesce(sum(l.amount_paise) filter (where l.account = 'bank'), 0) as bank,
        coalesce(sum(l.amount_paise) filter (where l.account = 'fees'), 0) as fees,
        coalesce(sum(l.amount_paise) filter (where l.account = 'input_tax'), 0) as input_tax,
        coalesce(sum(l.amount_paise) filter (where l.account in ('provider', 'unmatched')), 0) as rest
        from ledger_lines l where l.entry_id = e.id) sums
    where (i.booked_at is not null and (i.credit_paise <> i.debit_paise or i.fee_paise <> 0 or i.tax_paise <> 0)) <> (e.id is not null)
      or e.id is not null and (sums.bank, sums.fees, sums.input_tax, sums.rest)
        is distinct from (i.credit_paise - i.debit_paise, i.fee_paise - i.tax_paise, i.tax_paise, i.debit_paise - i.credit_paise - i.fee_paise)
      or e.payment_id is not null and e.payment_id is distinct from i.payment_id
      or e.payment_id is null and exists (select from ledger_lines l where l.entry_id = e.id and l.account = 'provider')
      or (i.returned_at is not null and e.id is not null) <> (f.id is not null) or f.id is not null and s.status <> 'failed'`,
  'every entry of a settlement has its item, and a return mirrors it': `
    select 'entry ' || e.id || ' has no such item of a settlement' as fault from ledger_entries e
    where e.kind in ('SETTLED', 'SETTLEMENT_FAILED') and not exists (
      select from settlement_items i where e.id = case e.kind when 'SETTLED' then 'settled:' else 'failed:' end || i.settlement_id || ':' || i.entity_id)
    union all
    select 'entry ' || f.id || ' does not mirror entry ' || e.id from ledger_entries f
      join ledger_entries e on e.id = 'settled:' || substr(f.id, 8)
    where f.kind = 'SETTLEMENT_FAILED' and (
      exists (select account, amount_paise from ledger_lines where entry_id = e.id
        except select account, -amount_paise from ledger_lines where entry_id = f.id)
      or exists (select account, amount_paise from ledger_lines where entry_id = f.id
        except select account, -amount_paise from ledger_lines where entry_id = e.id))`,
  'every dispute has its entries, and every such entry its dispute': `
    select 'dispute ' || d.provider_dispute_id || ' (' || d.status || ') does not match its entries' as fault
    from disputes d
      cross join lateral (values ('held:', 'disputed', d.held_paise),
        ('released:', 'disputed', case when d.ended_at is null then 0 else -d.held_paise end), ('loss:', 'losses', d.loss_paise)) v (kind, account, paise)
      left join ledger_entries e on e.id = v.kind || d.provider_dispute_id
      left join ledger_lines l on l.entry_id = e.id and l.account = v.account
    where (v.paise <> 0) <> (e.id is not null) or v.paise <> 0 and (l.amount_paise is distinct from v.paise or e.payment_id <> d.payment_id)
    union all
    select 'dispute ' || d.provider_dispute_id || ' took ' || d.deducted_paise || ', its refund and loss are ' || r.booked + d.loss_paise
    from disputes d cross join lateral (
      select coalesce(sum(amount_paise - withheld_paise), 0) as booked from refunds where foreign_id = d.provider_dispute_id) r
    where d.deducted_paise <> r.booked + d.loss_paise
    union all
    select 'payment ' || of_money.id || ' has losses of ' || sum(lost) || ', its disputes and transfers took ' || sum(taken)
    from (select payment_id, loss_paise as lost, deducted_paise as taken from disputes
      union all select payment_id, loss_paise, case when utr is null then 0 else amount_paise - covered_paise end from refunds
        where loss_paise > 0 or utr is not null) elsewhere
      -- Transfers of a bill are of its promise, and losses of the money that paid it.
      cross join lateral (select coalesce((select m.payment_id from payment_money m where m.money_id = elsewhere.payment_id and m.payment_id <> m.money_id),
        elsewhere.payment_id) as id) of_money
    group by of_money.id having sum(lost) > sum(taken)
    union all
    select 'entry ' || e.id || ' has no such dispute or refund' from ledger_entries e where e.kind like 'DISPUTE%'
      and not exists (select from disputes d where e.id in ('held:' || d.provider_dispute_id, 'released:' || d.provider_dispute_id,
        'loss:' || d.provider_dispute_id))
      and not exists (select from refunds r where e.id = 'loss:' || r.id and e.payment_id = r.payment_id and r.loss_paise > 0)`,
};
