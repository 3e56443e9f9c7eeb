/** Invariants of what operators did to money (product §6.30). */
export const operatorInvariants: Readonly<Record<string, string>> = {
  'a refund by an operator is in the audit log with its reason': `
    select 'refund ' || r.id || ' by an operator is not in the audit log' as fault from refunds r
    where r.origin = 'OPERATOR' and not exists (select from operator_actions a where a.action = 'payments.refund'
      and a.customer_id = r.customer_id and a.reason = r.reason and a.effect -> 'refunds' ? r.id)`,
  'a refund by transfer is in the audit log with its number': `
    select 'the transfer ' || r.utr || ' of refund ' || r.id || ' is not in the audit log' as fault from refunds r
    where r.utr is not null and not exists (select from operator_actions a where a.action = 'refunds.transfer'
      and a.target = r.id and a.customer_id = r.customer_id and a.effect ->> 'utr' = r.utr)
    union all
    select 'refund ' || r.id || ' was paid by a transfer without a number' from refunds r
    where r.payout = 'TRANSFER' and r.status = 'PROCESSED' and r.covered_paise < r.amount_paise and r.utr is null`,
  'a granted plan is in the audit log with its reason, and no money or document is about it': `
    select 'granted plan ' || c.id || ' is not in the audit log' as fault from cycles c
    where c.granted_reason is not null and not exists (select from operator_actions a where a.action = 'plans.grant'
      and a.target = c.id and a.customer_id = c.customer_id and a.reason = c.granted_reason)
    union all
    select 'granted plan ' || c.id || ' costs money' from cycles c
    where c.granted_reason is not null and (c.price_paise <> 0 or c.paid_at is not null
      or exists (select from order_cycles o where o.cycle_id = c.id) or exists (select from documents d where d.cycle_id = c.id)
      or exists (select from ledger_entries e where e.cycle_id = c.id))`,
};
