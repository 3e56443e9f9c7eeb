/** The numbering rule, which always reads all documents, even in a check of some customers. */
export const numberingRule = 'documents are numbered without gaps, in the order of their time';

/** Invariants of documents under the GST law, and between documents and money. */
export const paperInvariants: Readonly<Record<string, string>> = {
  'the documents of a cycle add up to the money kept for it': `
    with papers as (
      select cp.cycle_id, d.total_paise - coalesce(sum(f.total_paise), 0) as paise
      from current_papers cp join documents d on d.id = cp.document_id
        left join documents f on f.refers_to = d.id and f.kind in ('CREDIT_NOTE', 'REFUND_VOUCHER')
      group by cp.cycle_id, d.id, d.total_paise
    ), over as (
      select cycle_id, sum(paise) as paise from papers group by cycle_id
    ), kept as (
      select e.cycle_id, -sum(l.amount_paise) as paise
      from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'cycles' group by e.cycle_id
    )
    select 'cycle ' || coalesce(p.cycle_id, k.cycle_id) || ' has documents over ' || coalesce(p.paise, 0) || ' and the ledger keeps ' || coalesce(k.paise, 0) as fault
    from over p full join kept k on k.cycle_id = p.cycle_id where coalesce(p.paise, 0) <> coalesce(k.paise, 0)`,
  'every payment and every refund has a document': `
    select 'cycle ' || c.id || ' was paid without a document over its price' as fault from cycles c
    where c.paid_at is not null and c.price_paise > 0 and not exists (
      select from documents d where d.cycle_id = c.id and d.kind in ('INVOICE', 'RECEIPT_VOUCHER') and d.total_paise = c.price_paise)
    union all
    select 'refund ' || r.id || ' has no document over its amount' from refunds r
      join payments p on p.provider_payment_id = r.payment_id and p.use = 'CYCLE'
    where r.amount_paise > r.covers_paise and r.origin <> 'TDS' and (r.origin <> 'CORRECTION' or r.foreign_id is not null) and not exists (select from documents d where d.payment_id = r.payment_id and d.kind in ('CREDIT_NOTE', 'REFUND_VOUCHER')
      and d.cycle_id = r.cycle_id and d.total_paise = r.amount_paise - r.covers_paise)
    union all
    select 'refund ' || r.id || ' has no corrected invoice over that much less' from refunds r
    where r.origin = 'CORRECTION' and r.foreign_id is null and not exists (select from documents d join documents b on b.id = d.refers_to
      where d.cycle_id = r.cycle_id and d.kind = 'INVOICE' and b.kind = 'INVOICE' and d.content ->> 'tax' = 'NONE'
        and b.content ->> 'tax' <> 'NONE' and b.total_paise - d.total_paise >= r.amount_paise)`,
  'a document adds up, its columns match its content, and its payment is that of its cycle': `
    select 'document ' || d.number || ' does not add up' as fault from documents d
    where d.taxable_paise + d.cgst_paise + d.sgst_paise + d.utgst_paise + d.igst_paise + d.round_off_paise <> d.total_paise
      or least(d.taxable_paise, d.cgst_paise, d.sgst_paise, d.utgst_paise, d.igst_paise, d.total_paise) < 0
    union all
    select 'document ' || d.number || ' has columns that differ from its content' from documents d
    where jsonb_build_object('taxablePaise', d.taxable_paise, 'cgstPaise', d.cgst_paise, 'sgstPaise', d.sgst_paise,
        'utgstPaise', d.utgst_paise, 'igstPaise', d.igst_paise, 'roundOffPaise', d.round_off_paise, 'totalPaise', d.total_paise)
        is distinct from (d.content -> 'split') - 'taxPaise'
      or d.content ->> 'paymentId' is distinct from d.payment_id
    union all
    select 'document ' || d.number || ' names a payment that did not pay for its cycle' from documents d
    where not exists (select from cycle_payments p where p.provider_payment_id = d.payment_id and p.cycle_id = d.cycle_id
      and p.customer_id = d.customer_id)`,
  'documents of a cycle follow one another': `
    select 'document ' || d.number || ' does not match the document it refers to' as fault
    from documents d left join documents b on b.id = d.refers_to
    where (d.refers_to is not null or d.kind in ('CREDIT_NOTE', 'REFUND_VOUCHER')) and (b.id is null
      or (b.cycle_id, b.customer_id, b.payment_id) is distinct from (d.cycle_id, d.customer_id, d.payment_id)
      or d.total_paise > b.total_paise or d.issued_at < b.issued_at
      or (b.kind, d.kind) not in (('RECEIPT_VOUCHER', 'INVOICE'), ('RECEIPT_VOUCHER', 'REFUND_VOUCHER'), ('INVOICE', 'INVOICE'),
        ('INVOICE', 'CREDIT_NOTE')))
    union all
    select 'cycle ' || cycle_id || ' has ' || count(*) || ' first documents' from documents where refers_to is null
    group by cycle_id having count(*) > 1
    union all
    select 'document ' || refers_to || ' is invoiced or replaced ' || count(*) || ' times' from documents where kind = 'INVOICE' and refers_to is not null
    group by refers_to having count(*) > 1
    union all
    select 'document ' || b.number || ' over ' || b.total_paise || ' is credited or refunded with ' || sum(d.total_paise) from documents d
      join documents b on b.id = d.refers_to where d.kind in ('CREDIT_NOTE', 'REFUND_VOUCHER')
    group by b.id, b.number, b.total_paise having sum(d.total_paise) > b.total_paise`,
  [numberingRule]: `
    select 'series ' || s.series || ' of ' || s.financial_year || ' has the last number ' || s.last_number || ' and ' || count(distinct d.sequence) || ' documents' as fault
    from document_series s left join public.documents d on d.series = s.series and d.financial_year = s.financial_year
    group by s.series, s.financial_year, s.last_number, s.last_issued_at
    having count(d.id) <> s.last_number or count(distinct d.sequence) <> s.last_number or min(d.sequence) <> 1
      or max(d.sequence) <> s.last_number or max(d.issued_at) <> s.last_issued_at
    union all
    select 'document ' || number || ' is older than the one before it' from (
      select number, issued_at, lag(issued_at) over (partition by series, financial_year order by sequence) as before from public.documents
    ) d where issued_at < before
    union all
    select 'document ' || d.number || ' is not in a series of its year' from public.documents d
      left join document_series s on s.series = d.series and s.financial_year = d.financial_year
      left join document_series_forms f on f.name = d.series
    where s.series is null or f.kind is distinct from d.kind or d.issued_on <> (d.issued_at at time zone 'Asia/Kolkata')::date
      or d.financial_year <> to_char(d.issued_on - interval '3 months', 'YYYY') || '-' || to_char(d.issued_on + interval '9 months', 'YY')
      or d.number not like '_%/' || right(d.financial_year, 5) || '/' || f.letters || lpad(d.sequence::text, greatest(f.digits, length(d.sequence::text)), '0')
      or d.number !~ '^[A-Za-z0-9/-]+$'
      or length(d.number) > 16
    union all
    select 'series ' || s.series || ' of ' || s.financial_year || ' began before the previous one was full'
    from document_series s join document_series_forms f on f.name = s.series and f.place > 0
    where not exists (select from document_series_forms g
      left join document_series b on b.series = g.name and b.financial_year = s.financial_year
      left join closed_series c on c.series = g.name and c.financial_year = s.financial_year
      where g.kind = f.kind and g.place = f.place - 1 and (b.last_number >= g.last or c.series is not null))
    union all
    select 'number ' || number || ' is on ' || count(*) || ' documents' from public.documents group by number having count(*) > 1`,
  'an advance that was neither invoiced nor fully refunded waits for its invoice': `
    select 'voucher ' || d.number || case when v.document_id is null then ' does not wait for its invoice' else ' still waits for its invoice' end as fault
    from documents d join cycles c on c.id = d.cycle_id left join open_vouchers v on v.document_id = d.id and v.from_date = c.from_date
    where (v.document_id is not null) <>
      (d.kind = 'RECEIPT_VOUCHER' and not exists (select from documents f where f.refers_to = d.id and f.kind = 'INVOICE')
        and d.total_paise > coalesce((select sum(f.total_paise) from documents f where f.refers_to = d.id and f.kind = 'REFUND_VOUCHER'), 0))`,
  'a document that needs a registration has one, or waits for it': `
    select 'document ' || d.number || ' needs a registration and waits for none' as fault from documents d
    where d.needs_irn and not exists (select from e_invoices e where e.document_id = d.id)
      and not exists (select from e_invoice_waits w where w.document_id = d.id)`,
  'no PDF exists before the document is registered': `
    select 'document ' || d.number || ' has a PDF but no registration' as fault
    from documents d join document_files f on f.document_id = d.id
    where d.needs_irn and not exists (select from e_invoices e where e.document_id = d.id)
      and not exists (select from e_invoice_waits w where w.document_id = d.id and w.closed_at is not null)`,
};

/** PDFs in the database whose bytes differ from those that were stored, and rows that have neither a PDF nor its place. */
export function changedPapers(): string {
  return `with papers as not materialized (select * from document_files union all select * from amendment_files)
    select 'the PDF of ' || coalesce(d.number, f.document_id) || ' has changed' as fault
    from papers f left join documents d on d.id = f.document_id
    where (d.id is null or sha256(f.pdf) <> f.pdf_sha256)
    union all
    select 'the PDF of ' || coalesce(d.number, f.document_id) || ' lies nowhere, or in two places' as fault
    from papers f left join documents d on d.id = f.document_id where (f.pdf is null) <> (f.place is not null)`;
}
