/**
 * What must hold between the tables of money at any instant, as queries of which each row is a fault. `fault` says what is
 * wrong with which row.
 */
export const invariants: Readonly<Record<string, string>> = {
  'the papers of a cycle are over what is kept for it': `
    with papers as (
      select cp.cycle_id, d.total_paise - coalesce(sum(f.total_paise), 0) as paise
      from current_papers cp join documents d on d.id = cp.document_id
        left join documents f on f.refers_to = d.id and f.kind in ('CREDIT_NOTE', 'REFUND_VOUCHER')
      group by cp.cycle_id, d.id, d.total_paise
    ), kept as (
      select e.cycle_id, -sum(l.amount_paise) as paise
      from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'cycles' group by e.cycle_id
    )
    select 'cycle ' || coalesce(p.cycle_id, k.cycle_id) || ' has papers over ' || coalesce(p.paise, 0) || ' and keeps ' || coalesce(k.paise, 0) as fault
    from papers p full join kept k on k.cycle_id = p.cycle_id where coalesce(p.paise, 0) <> coalesce(k.paise, 0)`,
  'captured money is used exactly once, and entered once': `
    select 'payment ' || p.provider_payment_id || ' is captured, its entry is ' || coalesce(e.kind, 'missing') as fault
    from payments p left join ledger_entries e on e.id = 'capture:' || p.provider_payment_id
    where p.status = 'captured' and (e.kind is distinct from case p.use when 'CYCLE' then 'CAPTURED_FOR_CYCLE' else 'CAPTURED_FOR_REFUND' end
      or e.currency <> p.currency or e.payment_id <> p.provider_payment_id or e.cycle_id <> p.cycle_id or e.customer_id <> p.customer_id
      or not exists (select from ledger_lines l where l.entry_id = e.id and l.account = 'provider' and l.amount_paise = p.amount_paise)
      or not exists (select from ledger_lines l where l.entry_id = e.id and l.amount_paise = -p.amount_paise
        and l.account = case p.use when 'CYCLE' then 'cycles' else 'refunds' end))`,
  'every entry has its payment and its refund': `
    select 'entry ' || e.id || ' has no such payment or refund' as fault
    from ledger_entries e
      left join payments p on p.provider_payment_id = e.payment_id and p.status = 'captured'
      left join refunds r on r.id = e.refund_id and r.payment_id = e.payment_id
    where p.provider_payment_id is null
      or e.kind like 'CAPTURED%' and e.id <> 'capture:' || p.provider_payment_id
      or e.kind = 'REFUND_DUE' and (r.id is null or p.use <> 'CYCLE' or e.id <> 'due:' || r.id)
      or e.kind = 'REFUND_PAID' and (r.status is distinct from 'PROCESSED' or e.id <> 'paid:' || r.id)`,
  'every refund is entered as due and, once it is done, as paid': `
    select 'refund ' || r.id || ' (' || r.status || ') is not entered as it stands' as fault
    from refunds r join payments p on p.provider_payment_id = r.payment_id
    where (p.use = 'CYCLE') <> exists (select from ledger_lines where entry_id = 'due:' || r.id and account = 'cycles' and amount_paise = r.amount_paise)
      or (r.status = 'PROCESSED') <> exists (select from ledger_lines where entry_id = 'paid:' || r.id and account = 'provider' and amount_paise = -r.amount_paise)`,
  'captured = cycles + refunds + refunds under way': `
    with sums as (
      select p.currency, sum(p.amount_paise) as captured,
        sum(case p.use when 'CYCLE' then p.amount_paise - coalesce(r.amount_paise, 0) else 0 end) as cycles,
        sum(case when r.status <> 'PROCESSED' then r.amount_paise else 0 end) as under_way,
        sum(case when r.status = 'PROCESSED' then r.amount_paise else 0 end) as refunded
      from payments p left join refunds r on r.payment_id = p.provider_payment_id where p.status = 'captured' group by p.currency
    ), balances as (
      select e.currency,
        sum(l.amount_paise) filter (where l.account = 'provider') as provider,
        -sum(l.amount_paise) filter (where l.account = 'cycles') as cycles,
        -sum(l.amount_paise) filter (where l.account = 'refunds') as refunds
      from ledger_lines l join ledger_entries e on e.id = l.entry_id group by e.currency
    )
    select coalesce(s.currency, b.currency) || ': captured ' || coalesce(captured, 0) || ', cycles ' || coalesce(s.cycles, 0) || ', refunded '
      || coalesce(refunded, 0) || ', under way ' || coalesce(under_way, 0) || '; the ledger says cycles ' || coalesce(b.cycles, 0)
      || ', under way ' || coalesce(b.refunds, 0) || ', with the provider ' || coalesce(provider, 0) as fault
    from sums s full join balances b on b.currency = s.currency
    where captured is distinct from s.cycles + refunded + under_way or coalesce(s.cycles, 0) <> coalesce(b.cycles, 0)
      or coalesce(under_way, 0) <> coalesce(b.refunds, 0) or coalesce(captured - refunded, 0) <> coalesce(provider, 0)`,
  'a cycle gives access only while it is paid, and is paid by one payment of its price': `
    select 'cycle ' || c.id || ' (' || c.status || ') is paid by ' || count(p.provider_payment_id) || ' payments' as fault
    from cycles c left join payments p on p.cycle_id = c.id and p.use = 'CYCLE'
    where c.price_paise > 0
    group by c.id, c.status, c.paid_at, c.price_paise having count(p.provider_payment_id) <> case when c.paid_at is null then 0 else 1 end
      or c.status = 'PAID' and c.paid_at is null or min(p.amount_paise) <> c.price_paise`,
  'what was given back is no longer used': `
    select 'cycle ' || c.id || ' is ' || c.status || ' and refund ' || r.id || ' is over ' || r.amount_paise as fault
    from cycles c join payments p on p.cycle_id = c.id and p.use = 'CYCLE' join refunds r on r.payment_id = p.provider_payment_id
    where c.status not in ('DEACTIVATED', 'REFUNDED') or r.amount_paise > p.amount_paise or c.status = 'REFUNDED' and r.amount_paise <> p.amount_paise
    union all
    select 'cycle ' || c.id || ' is refunded without a refund' from cycles c where c.status = 'REFUNDED'
      and not exists (select from refunds r join payments p on p.provider_payment_id = r.payment_id where p.cycle_id = c.id and p.use = 'CYCLE')
    union all
    select 'payment ' || p.provider_payment_id || ' has to go back and has no refund of its whole amount' from payments p
    where p.use = 'REFUND' and not exists (select from refunds r where r.payment_id = p.provider_payment_id and r.amount_paise = p.amount_paise)`,
  'every paid rupee is on a document, and what went back on another one': `
    select 'cycle ' || c.id || ' was paid without a document over its price' as fault from cycles c
    where c.paid_at is not null and c.price_paise > 0 and not exists (
      select from documents d where d.cycle_id = c.id and d.kind in ('INVOICE', 'RECEIPT_VOUCHER') and d.total_paise = c.price_paise)
    union all
    select 'refund ' || r.id || ' has no document over its amount' from refunds r
      join payments p on p.provider_payment_id = r.payment_id and p.use = 'CYCLE'
    where not exists (select from documents d where d.payment_id = r.payment_id and d.kind in ('CREDIT_NOTE', 'REFUND_VOUCHER')
      and d.total_paise = r.amount_paise)`,
  'documents are numbered without gaps, in the order of their time': `
    select 'series ' || s.series || ' of ' || s.financial_year || ' counts ' || s.last_number || ' and has ' || count(d.id) as fault
    from document_series s left join public.documents d on d.series = s.series and d.financial_year = s.financial_year
    group by s.series, s.financial_year, s.last_number having count(d.id) <> s.last_number or max(d.sequence) <> s.last_number
    union all
    select 'document ' || number || ' is older than the one before it' from (
      select number, issued_at, lag(issued_at) over (partition by series, financial_year order by sequence) as before from public.documents
    ) d where issued_at < before`,
  'at any instant one cycle of an activation gives access': `
    select 'cycles ' || a.id || ' and ' || b.id || ' overlap' as fault from cycles a join cycles b
      on a.activation_id = b.activation_id and a.id < b.id and daterange(a.from_date, a.to_date) && daterange(b.from_date, b.to_date)
    where a.status in ('PAID', 'NO_PAYMENT_REQUIRED') and b.status in ('PAID', 'NO_PAYMENT_REQUIRED')`,
  'a cycle has one live order, and its order and payment match it': `
    select 'cycle ' || cycle_id || ' has ' || count(*) || ' live orders' as fault from payment_orders
    where status in ('CREATING', 'OPEN', 'PAID') group by cycle_id having count(*) > 1
    union all
    select 'order ' || o.id || ' differs from its cycle' from payment_orders o join cycles c on c.id = o.cycle_id
    where o.amount_paise <> c.price_paise or o.customer_id <> c.customer_id or o.activation_id <> c.activation_id
      or c.status in ('REMOVED', 'REFUNDED', 'DEACTIVATED') and o.status in ('CREATING', 'OPEN')
    union all
    select 'payment ' || p.provider_payment_id || ' differs from its order' from payments p join payment_orders o on o.id = p.order_id
    where p.use = 'CYCLE' and (p.amount_paise <> o.amount_paise or p.currency <> o.currency or p.cycle_id <> o.cycle_id
      or p.customer_id <> o.customer_id or o.status <> 'PAID')`,
  'a cycle lasts as long as its plan says': `
    select 'cycle ' || id || ' lasts ' || (to_date - from_date) || ' days' as fault from cycles
    where plan ? 'maxDays' and to_date - from_date <> (plan ->> 'maxDays')::integer`,
  'one activation of a product, one trial': `
    select 'customer ' || customer_id || ' has ' || service_id || ' ' || count(*) || ' times' as fault from activations
    where deleted_at is null group by customer_id, service_id having count(*) > 1
    union all
    select 'customer ' || customer_id || ' had the trial of ' || service_id || ' ' || count(*) || ' times' from cycles
    where tenure = 'TRIAL' and status <> 'REMOVED' group by customer_id, service_id having count(*) > 1
    union all
    select 'activation ' || a.id || ' is deleted and cycle ' || c.id || ' is ' || c.status from activations a join cycles c on c.activation_id = a.id
    where a.deleted_at is not null and (c.status = 'PAYMENT_PENDING'
      or c.status in ('PAID', 'NO_PAYMENT_REQUIRED') and c.to_date > (a.deleted_at at time zone 'Asia/Kolkata')::date)`,
};
