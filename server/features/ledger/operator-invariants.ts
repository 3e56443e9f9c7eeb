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
    select 'transfer ' || r.utr || ' pays refunds of two customers' from refunds r
    where exists (select from public.refunds o where bank_number(o.utr) = bank_number(r.utr) and o.customer_id <> r.customer_id)
    union all
    select 'refund ' || r.id || ' was paid by a transfer without a number' from refunds r
    where r.payout = 'TRANSFER' and r.status = 'PROCESSED' and r.covered_paise < r.amount_paise and r.utr is null`,
  'a transfer to the own account is recorded once, and in the audit log': `
    select 'transfer ' || t.utr || ' of ' || t.payment_id || ' is not in the audit log' as fault from bank_transfers t
      join payments p on p.provider_payment_id = t.payment_id
    where t.received_on is not null and not exists (select from operator_actions a where a.action = 'transfers.record' and a.target = t.payment_id
      and a.customer_id = t.customer_id and a.effect ->> 'utr' = t.utr)
    union all
    select 'transfer ' || t.utr || ' is recorded and is other money too' from bank_transfers t join payments p on p.provider_payment_id = t.payment_id
    where t.received_on is not null and (exists (select from public.refunds r where bank_number(r.utr) = bank_number(t.utr))
      or exists (select from public.bank_transfers o where bank_number(o.utr) = bank_number(t.utr) and o.received_on is not null and o.payment_id <> t.payment_id))`,
  'what a held bank transfer became is in the audit log': `
    select 'the answer about payment ' || p.provider_payment_id || ', now ' || p.use || ', is not in the audit log' as fault
    from payments p join ledger_entries e on e.payment_id = p.provider_payment_id and e.kind = 'CAPTURED_HELD'
    where p.use <> 'HELD' and not exists (select from operator_actions a where a.target = p.provider_payment_id and a.customer_id = p.customer_id
        and a.action = case p.use when 'REFUND' then 'transfers.refund' else 'transfers.settle' end)
      and not exists (select from refunds r where p.use = 'REFUND' and r.payment_id = p.provider_payment_id and r.foreign_id is not null)`,
  'a blocked or erased customer is in the audit log': `
    select 'customer ' || c.id || case when c.erased_at is not null then ' is erased' when c.blocked_at is null then ' is not blocked'
      else ' is blocked' end || ', which is not what the audit log says' as fault
    from customers c left join lateral (select a.action, a.reason from operator_actions a
      where a.customer_id = c.id and a.target = c.id and a.action in ('customers.block', 'customers.unblock', 'customers.erase')
      order by a.position desc limit 1) last on true
    where (c.erased_at is not null) <> coalesce(last.action = 'customers.erase', false)
      or c.erased_at is null and (c.blocked_at is not null) <> coalesce(last.action = 'customers.block', false)
      or c.blocked_at is not null and c.blocked_reason is distinct from last.reason`,
  'a raised quota is in the audit log with its reason': `
    select 'quota raise ' || r.id || ' is not in the audit log' as fault from quota_raises r
    where not exists (select from operator_actions a where a.action = 'quota.set' and a.target = r.cycle_id
      and a.customer_id = r.customer_id and a.reason = r.reason and a.effect -> 'units' = to_jsonb(r.units))`,
  'calls per second that an operator set are in the audit log': `
    select 'activation ' || v.id || ' has other calls per second than the audit log says' as fault
    from activations v left join lateral (select a.effect from operator_actions a
      where a.customer_id = v.customer_id and a.target = v.id and a.action = 'rate.set' order by a.position desc limit 1) last on true
    where v.calls_per_second is distinct from (last.effect ->> 'callsPerSecond')::integer`,
  'a granted plan is in the audit log with its reason, and no money or document is about it': `
    select 'granted plan ' || c.id || ' is not in the audit log' as fault from cycles c
    where c.granted_reason is not null and not exists (select from operator_actions a where a.action in ('plans.grant', 'plans.extend')
      and a.target = c.id and a.customer_id = c.customer_id and a.reason = c.granted_reason)
    union all
    select 'granted plan ' || c.id || ' costs money' from cycles c
    where c.granted_reason is not null and (c.price_paise <> 0 or c.paid_at is not null
      or exists (select from order_cycles o where o.cycle_id = c.id) or exists (select from documents d where d.cycle_id = c.id)
      or exists (select from ledger_entries e where e.cycle_id = c.id))`,
};

/** The same of the provider’s own records, which the check of each minute does not read. */
export const providerActionInvariants: Readonly<Record<string, string>> = {
  'a lock of a month is in the audit log with its reason': `
    select 'record of a lock ' || l.id || ' is not in the audit log' as fault from period_locks l
    where not exists (select from operator_actions a where a.action = case l.action when 'LOCK' then 'months.lock' else 'months.unlock' end
      and a.target = l.month and a.reason = l.reason and a.actor = l.operator)`,
  'the proof of a payment from abroad is the last one of the audit log': `
    select 'the remittance proof of payment ' || p.payment_id || ' is not the one of the audit log' as fault from remittance_proofs p
      left join lateral (select a.effect from operator_actions a where a.action = 'remittances.record' and a.target = p.payment_id
        order by a.position desc limit 1) last on true
    where (p.kind, p.reference, p.received_on::text, p.currency, p.amount::text) is distinct from
      (last.effect ->> 'kind', last.effect ->> 'reference', last.effect ->> 'receivedOn', last.effect ->> 'currency', last.effect ->> 'amount')`,
  'operators have the role and the domains of the audit log': `
    select 'operator ' || o.email || ' is not what the audit log says' as fault from operators o
      left join lateral (select a.action, a.effect from operator_actions a where a.target = o.id
        and a.action in ('operators.add', 'operators.join', 'operators.role', 'operators.remove') order by a.position desc limit 1) last on true
    where (o.removed_at is not null) <> coalesce(last.action = 'operators.remove', o.removed_at is null)
      or o.removed_at is null and last.effect ->> 'role' is distinct from o.role
    union all
    select 'the domain ' || d.domain || ' of operators is not what the audit log says' from operator_domains d
      left join lateral (select a.action, a.effect from operator_actions a where a.target = d.domain
        and a.action in ('operator-domains.add', 'operator-domains.remove') order by a.position desc limit 1) last on true
    where last.action is distinct from 'operator-domains.add' or last.effect ->> 'role' is distinct from d.role`,
  'passkeys and tokens of operators are in the audit log': `
    select 'passkey ' || p.id || ' of ' || o.email || ' is not in the audit log' as fault
    from operator_passkeys p join operators o on o.id = p.operator_id
    where o.removed_at is not null
      or not exists (select from operator_actions a where a.action = 'passkeys.add' and a.target = p.id and a.actor = o.email)
    union all
    select 'token ' || t.id || ' of ' || o.email || ' is not the one of the audit log' from operator_tokens t join operators o on o.id = t.operator_id
    where o.removed_at is not null and t.revoked_at is null
      or not exists (select from operator_actions a where a.action = 'operator-tokens.create' and a.target = t.id and a.actor = o.email
        and a.effect ->> 'name' = t.name and a.effect -> 'scopes' = to_jsonb(t.scopes) and (a.effect ->> 'expiresAt')::timestamptz = t.expires_at)`,
  'a decided approval is in the audit log': `
    select 'approval ' || p.id || ' is ' || p.state || ', which is not what the audit log says' as fault from approvals p
    where (p.state = 'DONE') <> exists (select from operator_actions a where a.action = 'approvals.approve' and a.target = p.id)
      or (p.state = 'DECLINED') <> exists (select from operator_actions a where a.action = 'approvals.decline' and a.target = p.id)`,
  // The first one is put on sale by the first start.
  'a catalogue on sale is in the audit log with its reason': `
    select 'catalogue version ' || v.version || ' is on sale, which is not in the audit log' as fault from catalog_versions v
    where v.active_from is not null and exists (select from catalog_versions b where b.version < v.version)
      and not exists (select from operator_actions a where a.action in ('catalog.apply', 'catalog.revert') and a.target = v.version::text and a.reason = v.reason)`,
  'the files of a catalogue are those of its version': `
    select 'catalogue file ' || f.version || '/' || f.path || ' has other bytes' as fault from catalog_version_files f
      left join catalog_files c on c.sha256 = f.sha256
    where c.sha256 is null or sha256(c.content) <> c.sha256
    union all
    select 'catalogue version ' || v.version || ' has other files' from catalog_versions v
    where v.sha256 <> coalesce((select sha256(convert_to(string_agg(encode(f.sha256, 'hex') || '  ' || f.path || E'\\n', '' order by f.path collate "C"), 'UTF8'))
      from catalog_version_files f where f.version = v.version), sha256(''))`,
};
