/**
 * What a trigger checks once, when a record is written, and what lies beside it could break later: the letter under which a document bears no
 * tax, the declaration or check of its buyer, the cancellation of its registration, a wait that ended without one.
 */
export const lastingInvariants: Readonly<Record<string, string>> = {
  // As the trigger zero_rated_under_a_letter. Without tax in its columns: most documents need not be read as a whole.
  'a document without tax is dated within its letter of undertaking': `
    select 'document ' || d.number || ' bears no tax and no letter of undertaking covers ' || s.supplied as fault
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
  // As the trigger waits_close_when_credited.
  'a document that is never registered belongs to an invoice that was refused and credited in full': `
    select 'document ' || d.number || ' no longer waits for its registration, and its invoice was not refused and credited in full' as fault
    from e_invoice_waits w join documents d on d.id = w.document_id
      join documents i on i.id = case d.kind when 'CREDIT_NOTE' then d.refers_to else d.id end
    where w.closed_at is not null and (exists (select from e_invoices e where e.document_id = i.id)
      or not exists (select from e_invoice_waits r where r.document_id = i.id and r.refused_at is not null)
      or i.total_paise <> (select coalesce(sum(n.total_paise), 0) from documents n where n.refers_to = i.id and n.kind = 'CREDIT_NOTE'))`,
};
