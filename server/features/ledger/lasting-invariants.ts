/**
 * What a trigger checks once, when a record is written, and what lies beside it could break later: the letter under which a document bears no
 * tax, the declaration or check of its buyer, the cancellation of its registration, a wait that ended without one.
 */
export const lastingInvariants: Readonly<Record<string, string>> = {
  // As the trigger zero_rated_under_a_letter. Without tax in its columns: most documents need not be read as a whole.
  'a document without tax is dated within its letter of undertaking': `
    select 'document ' || d.number || ' bears no tax and no letter of undertaking covers ' || coalesce(s.supplied::text, 'it') as fault
    from documents d left join documents b on b.id = d.refers_to
      cross join lateral (select case when b.kind = 'INVOICE' then
          (select greatest(min(f.issued_on), min((f.content -> 'item' ->> 'fromDate')::date)) from documents f
            where f.cycle_id = d.cycle_id and f.kind = 'INVOICE' and f.id <> d.id)
        else greatest(d.issued_on, (d.content -> 'item' ->> 'fromDate')::date) end as supplied) s
    where d.kind in ('INVOICE', 'RECEIPT_VOUCHER') and d.igst_paise = 0 and d.cgst_paise = 0 and d.content ->> 'tax' = 'NONE'
      and not exists (select from letters_of_undertaking l where l.arn = d.content ->> 'lut' and s.supplied between l.from_date and l.last_date)`,
  // As the trigger claims_are_declared, at the time of issue. The minute is that of two machines whose clocks differ.
  'a supply to an SEZ or abroad without tax was declared by its buyer, or found by the GST portal': `
    select 'document ' || d.number || ' is ' || (d.content ->> 'supplyType') || ', which its buyer had not declared' as fault
    from documents d
      cross join lateral (select d.content ->> 'supplyType' in ('SEZWP', 'SEZWOP') as is_sez) k
      left join lateral (select c.outcome from sez_checks c where k.is_sez and c.customer_id = d.customer_id
        and c.gstin = d.content #>> '{recipient,gstin}' and c.checked_at <= d.issued_at + interval '1 minute' order by c.checked_at desc limit 1) portal on true
    where d.kind in ('INVOICE', 'RECEIPT_VOUCHER') and d.cgst_paise = 0 and d.content ->> 'supplyType' in ('SEZWP', 'SEZWOP', 'EXPWOP')
      and case when portal.outcome is not null then portal.outcome not in ('UNIT', 'DEVELOPER')
        else not exists (select from tax_claims t where t.customer_id = d.customer_id and t.kind = case when k.is_sez then 'SEZ' else 'EXPORT' end
          and t.about = case when k.is_sez then d.content #>> '{recipient,gstin}' else d.content #>> '{recipient,country}' end
          and t.declared_at <= d.issued_at + interval '1 minute' and coalesce(t.withdrawn_at > d.issued_at - interval '1 minute', true)) end`,
  'a cancelled registration is in the audit log, and another invoice replaces its own': `
    select 'the registration of document ' || d.number || ' is cancelled, which is not what the audit log says' as fault
    from e_invoices e join documents d on d.id = e.document_id
    where e.cancelled_at is not null and not exists (select from operator_actions a where a.customer_id = d.customer_id
      and a.action = 'e-invoices.cancel' and a.target = d.number and a.effect ->> 'irn' = e.irn)
    union all
    select 'the registration of document ' || d.number || ' is cancelled, and no invoice replaces it'
    from e_invoices e join documents d on d.id = e.document_id
    where e.cancelled_at is not null and not exists (select from documents f where f.refers_to = d.id and f.kind = 'INVOICE')`,
  // As the triggers amendments_are_lawful and month_is_locked. Whether a month was locked before says the order of the seals, which no clock changes.
  'an amendment is of details alone, in time, and of a document that was not replaced': `
    select fault_of_amendment(a) as fault from public.amendments a
    where a.document_id in (select document_id from amendments) and fault_of_amendment(a) is not null
    union all
    select 'document ' || d.number || ' was replaced before it was amended' from amendments a join documents d on d.id = a.document_id
    where exists (select from documents f where f.refers_to = d.id and f.kind = 'INVOICE' and f.issued_at < a.amended_at)
    union all
    select 'document ' || d.number || ' was amended on ' || a.amended_on || ', and that month was locked'
    from amendments a join documents d on d.id = a.document_id cross join lateral (
      select l.action from public.period_locks l where l.month = to_char(a.amended_on, 'YYYY-MM') and exists (
        select from public.record_seals k where k.kind = 'period_locks' and k.record_id = l.id::text and k.id
          < coalesce((select min(s.id) from public.record_seals s where s.kind = 'amendments' and s.record_id = a.document_id), k.id + 1))
      order by l.id desc limit 1) last
    where last.action = 'LOCK'`,
  // As the trigger documents_of_one_registration (CGST Act s.25(4)).
  'a document is of the registration of the document that it follows': `
    select 'document ' || d.number || ' is not of the registration of document ' || b.number as fault from documents d join documents b on b.id = d.refers_to
    where d.content #>> '{supplier,gstin}' is distinct from b.content #>> '{supplier,gstin}'`,
  // As the trigger late_notes_bear_no_tax (CGST Act s.34(2)).
  'a credit note takes back no tax after 30 November': `
    select 'credit note ' || d.number || ' takes back tax after 30 November' as fault from documents d
    where d.kind = 'CREDIT_NOTE' and d.cgst_paise + d.sgst_paise + d.utgst_paise + d.igst_paise <> 0
      and d.issued_on > make_date(extract(year from (d.content -> 'item' ->> 'fromDate')::date - interval '3 months')::int + 1, 11, 30)`,
  // As the trigger excess_tax_has_a_voucher.
  'a refund of excess tax is of an advance, and has its refund voucher': `
    select 'refund ' || r.id || ' of excess tax has no refund voucher' as fault from refunds r
    where r.origin = 'EXCESS_TAX' and not exists (select from documents d join documents b on b.id = d.refers_to
      where d.payment_id = r.payment_id and d.cycle_id = r.cycle_id and d.kind = 'REFUND_VOUCHER' and d.total_paise = r.amount_paise
        and b.kind = 'RECEIPT_VOUCHER' and (b.content -> 'item' ->> 'fromDate')::date <= d.issued_on)`,
  // As the function most_given_back, over the full price: what else was refunded only lowers it. Packs can't be repeated: their cycle goes on.
  'what the portal refunds of a plan by itself is unused': `
    select 'refund ' || r.id || ' is over more than was unused of cycle ' || c.id as fault
    from refunds r join payments p on p.provider_payment_id = r.payment_id and p.use = 'CYCLE' join cycles c on c.id = r.cycle_id
      left join quota_counters q on q.kind = 'cycle' and q.scope_id = c.id
      cross join lateral (select (c.ended_at at time zone 'Asia/Kolkata')::date as ended) e
    where r.origin = 'PORTAL' and c.adds_to is null and e.ended >= c.from_date
      and (c.plan ->> 'onDeactivate' is distinct from 'refund-unused' or r.amount_paise > ceil(least(
        c.price_paise::numeric * greatest(c.to_date - e.ended - 1, 0) / (c.to_date - c.from_date),
        case when c.monthly_quota > 0 then c.price_paise::numeric * greatest(c.monthly_quota - coalesce(q.taken, 0), 0) / c.monthly_quota end)))
    union all
    select 'refund ' || r.id || ' is of a plan that nothing replaced' from refunds r
    where r.of_replaced and not exists (select from cycles n where n.replaces = r.cycle_id and n.status not in ('PAYMENT_PENDING', 'REMOVED'))`,
  // As the trigger waits_close_when_credited.
  'a document that is never registered belongs to an invoice that was refused and credited in full': `
    select 'document ' || d.number || ' no longer waits for its registration, and its invoice was not refused and credited in full' as fault
    from e_invoice_waits w join documents d on d.id = w.document_id
      join documents i on i.id = case d.kind when 'CREDIT_NOTE' then d.refers_to else d.id end
    where w.closed_at is not null and (exists (select from e_invoices e where e.document_id = i.id)
      or not exists (select from e_invoice_waits r where r.document_id = i.id and r.refused_at is not null)
      or i.total_paise <> (select coalesce(sum(n.total_paise), 0) from documents n where n.refers_to = i.id and n.kind = 'CREDIT_NOTE'))`,
  'passkeys of members, and whether a customer asks for them, are in the log of the customer': `
    select 'passkey ' || p.id || ' of member ' || p.member_id || ' is not in the log' as fault from member_passkeys p join members m on m.id = p.member_id
    where m.removed_at is not null or m.customer_id <> p.customer_id
      or not exists (select from member_actions a where a.action = 'addMemberPasskey' and a.target = p.id and a.member_id = p.member_id)
    union all
    select 'customer ' || c.id || case when c.two_step then ' asks' else ' doesn’t ask' end || ' for passkeys, which is not what the log says' from customers c
    where c.erased_at is null and c.two_step <> coalesce((select a.target = 'on' from member_actions a
      where a.customer_id = c.id and a.action = 'switchTwoStep' order by a.position desc limit 1), false)`,
};
