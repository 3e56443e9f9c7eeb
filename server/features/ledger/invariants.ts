import { isFreeCycle, quotaSums, takenOf } from '#shared/database/quota-sums.ts';
import { creditInvariants } from './credit-invariants.ts';
import { paperInvariants } from './paper-invariants.ts';
import { settlementInvariants } from './settlement-invariants.ts';
import { lastingInvariants } from './lasting-invariants.ts';
import { operatorInvariants } from './operator-invariants.ts';
import { tdsInvariants } from './tds-invariants.ts';

/**
 * Invariants between the money tables, as queries that return one row per violation. `fault` says what is
 * wrong with which row.
 */
export const invariants: Readonly<Record<string, string>> = {
  ...paperInvariants,
  ...lastingInvariants,
  ...settlementInvariants,
  ...operatorInvariants,
  ...tdsInvariants,
  ...creditInvariants,
  ...quotaSums,
  'captured money is used exactly once and has exactly one entry': `
    select 'payment ' || p.provider_payment_id || ' is captured but its entry is ' || coalesce(e.kind, 'missing') as fault
    from payments p left join order_cycles oc on oc.order_id = p.order_id and (p.use = 'CYCLE' or oc.place = 1)
      left join ledger_entries h on h.id = capture_entry(p.provider_payment_id, 1) and h.kind = 'CAPTURED_HELD'
      cross join lateral (select h.id is not null and p.use <> 'HELD' as answered) was
      left join ledger_entries e on e.id = use_entry(p.provider_payment_id, coalesce(oc.place, 1), was.answered)
      cross join lateral (select case when p.use in ('CYCLE', 'DUE') then oc.amount_paise else p.amount_paise end as paise,
        coalesce((select sum(r.amount_paise) from refunds r where p.method <> 'terms' and r.payout = 'WITHHELD' and r.cycle_id = oc.cycle_id and money_of(r.payment_id) = p.provider_payment_id), 0) as withheld) share
    where p.status = 'captured' and (e.kind is distinct from case p.use when 'HELD' then 'CAPTURED_HELD'
        when 'CYCLE' then case when p.method = 'terms' then 'BILLED' when was.answered then 'HELD_FOR_CYCLE' else 'CAPTURED_FOR_CYCLE' end
        when 'DUE' then case when was.answered then 'HELD_FOR_BILL' else 'CAPTURED_FOR_BILL' end
        else case when was.answered then 'HELD_FOR_REFUND' else 'CAPTURED_FOR_REFUND' end end
      or e.currency <> p.currency or e.payment_id <> p.provider_payment_id or e.cycle_id <> oc.cycle_id or e.customer_id <> p.customer_id
      or not exists (select from ledger_lines l where l.entry_id = e.id and l.account = case when was.answered then 'held' when p.method = 'terms' then 'receivables'
          when exists (select from bank_transfers t where t.payment_id = p.provider_payment_id and t.received_on is not null) then 'bank' else 'provider' end
        and l.amount_paise = share.paise - share.withheld)
      or not exists (select from ledger_lines l where l.entry_id = e.id and l.amount_paise = -share.paise
        and l.account = case p.use when 'CYCLE' then 'cycles' when 'DUE' then 'receivables' when 'HELD' then 'held' else 'refunds' end))
    union all
    select 'payment ' || p.provider_payment_id || ' came held with another amount than ' || p.amount_paise from payments p
      join ledger_entries e on e.payment_id = p.provider_payment_id and e.kind = 'CAPTURED_HELD'
    where not exists (select from ledger_lines l where l.entry_id = e.id and l.account = 'provider' and l.amount_paise = p.amount_paise)`,
  'no pack waits for a payment after its plan has ended': `
    select 'pack ' || p.id || ' waits for a payment although its plan ended on ' || p.to_date as fault
    from cycles p join daily_rounds d on d.name = 'late-packs'
    where p.adds_to is not null and p.status = 'PAYMENT_PENDING' and p.to_date <= d.day`,
  'every entry has its payment and its refund': `
    select 'entry ' || e.id || ' has no such payment or refund' as fault
    from ledger_entries e
      left join payments p on p.provider_payment_id = e.payment_id and p.status = 'captured'
      left join refunds r on r.id = e.refund_id and r.payment_id = e.payment_id and r.cycle_id = e.cycle_id
    where p.provider_payment_id is null and e.payment_id is not null
      or (e.kind like 'CAPTURED%' or e.kind = 'BILLED') and not exists (select from order_cycles oc where oc.order_id = p.order_id and (p.use = 'CYCLE' or oc.place = 1)
        and e.id = capture_entry(p.provider_payment_id, oc.place))
      or e.kind in ('HELD_FOR_CYCLE', 'HELD_FOR_BILL', 'HELD_FOR_REFUND') and not exists (select from order_cycles oc join ledger_entries h on h.kind = 'CAPTURED_HELD'
        and h.id = capture_entry(p.provider_payment_id, 1) where oc.order_id = p.order_id and (p.use = 'CYCLE' or oc.place = 1)
        and e.id = use_entry(p.provider_payment_id, oc.place, true))
      or e.kind = 'REFUND_DUE' and (r.id is null or p.use not in ('CYCLE', 'DUE') or e.id <> 'due:' || r.id)
      or e.kind = 'REFUND_WITHHELD' and (r.id is null or e.id <> 'withheld:' || r.id)
      or e.kind = 'REFUND_OFFSET' and (r.id is null or e.id <> 'offset:' || r.id)
      or e.kind = 'REFUND_PAID' and (r.status is distinct from 'PROCESSED' or e.id <> 'paid:' || r.id)`,
  'every refund has an entry when due and another when paid': `
    select 'refund ' || r.id || ' (' || r.status || ') does not match its entries' as fault
    from refunds r left join payments p on p.provider_payment_id = r.payment_id
    where p.use is null or p.customer_id <> r.customer_id
      or r.amount_paise > p.amount_paise + coalesce((select t.tds_paise from bank_transfers t where t.payment_id = p.provider_payment_id), 0)
      or not exists (select from order_cycles oc where oc.order_id = p.order_id and oc.cycle_id = r.cycle_id and (p.use = 'CYCLE' or oc.place = 1))
      or (p.use in ('CYCLE', 'DUE') and r.amount_paise > r.covers_paise and r.payout <> 'WITHHELD')
        <> exists (select from ledger_lines where entry_id = 'due:' || r.id and account = case when p.use = 'DUE' then 'receivables' when r.origin = 'TDS' then 'tds' else 'cycles' end
          and amount_paise = r.amount_paise - r.covers_paise)
      or (r.status = 'PROCESSED' and r.amount_paise > r.covered_paise and r.payout <> 'WITHHELD')
        <> exists (select from ledger_lines where entry_id = 'paid:' || r.id
          and account = case r.payout when 'TRANSFER' then 'bank' else 'provider' end and amount_paise = r.covered_paise - r.amount_paise)
      or (r.withheld_paise > 0) <> exists (select from ledger_lines where entry_id = 'withheld:' || r.id and account = 'tds'
          and amount_paise = -r.withheld_paise)
      or (r.offset_paise > 0) <> exists (select from ledger_lines where entry_id = 'offset:' || r.id and account = 'receivables'
          and amount_paise = -r.offset_paise)
      or (r.status = 'PROCESSED' and r.loss_paise > 0)
        <> exists (select from ledger_lines where entry_id = 'loss:' || r.id and account = 'losses' and amount_paise = r.loss_paise)
    union all
    select 'payment ' || p.provider_payment_id || ' gives ' || sum(r.amount_paise - r.covers_paise) || ' of ' || p.amount_paise || ' back, '
      || sum(r.covers_paise) || ' for ' || sum(r.covered_paise - r.withheld_paise) || ' of other refunds' from refunds r
      join payments p on p.provider_payment_id = r.payment_id
      left join cycle_payments cp on cp.provider_payment_id = r.payment_id and cp.cycle_id = r.cycle_id
    group by p.provider_payment_id, p.amount_paise, r.cycle_id, cp.amount_paise
    having coalesce(sum(r.amount_paise - r.covers_paise) filter (where r.origin <> 'TDS'), 0) > coalesce(cp.amount_paise, p.amount_paise)
    union all
    select 'payment ' || coalesce(b.payment_id, r.payment_id) || ' gives ' || sum(r.amount_paise - r.covers_paise) || ' back, '
      || sum(r.covers_paise) || ' for ' || sum(r.covered_paise - r.withheld_paise - r.offset_paise) || ' of other refunds' from refunds r
      left join payment_money m on m.money_id = r.payment_id and m.payment_id <> r.payment_id
      left join credit_bills b on b.payment_id = m.payment_id
    group by coalesce(b.payment_id, r.payment_id), r.cycle_id having sum(r.covers_paise) <> sum(r.covered_paise - r.withheld_paise - r.offset_paise)`,
  'captured = cycles + refunded + refunds in progress, less tax deducted at source': `
    with back as (
      select payment_id, sum(amount_paise - covers_paise) as promised,
        coalesce(sum(amount_paise - covered_paise) filter (where status = 'PROCESSED'), 0) + sum(offset_paise) as paid,
        coalesce(sum(amount_paise) filter (where origin = 'TDS'), 0) as tds,
        coalesce(sum(amount_paise) filter (where payout = 'WITHHELD'), 0) as withheld,
        sum(withheld_paise) as reversed from refunds group by payment_id
    ), sums as (
      -- A promise is what was sold on terms; what pays it, and goes back of that, only moves between what is due and what came (decision 081).
      select p.currency, sum(case when p.method = 'terms' then p.amount_paise - coalesce(r.withheld, 0) when p.use = 'DUE' then coalesce(r.promised, 0) else p.amount_paise end) as captured,
        sum(case p.use when 'CYCLE' then p.amount_paise + case p.method when 'terms' then 0 else coalesce(r.withheld, 0) end - coalesce(r.promised - r.tds, 0) else 0 end) as cycles,
        sum(case p.use when 'HELD' then p.amount_paise else 0 end) as held,
        sum(coalesce(r.tds - r.reversed, 0)) as tds,
        sum(coalesce(r.promised - r.paid - r.reversed, 0)) as under_way,
        sum(coalesce(r.paid - r.withheld, 0)) as refunded
      from payments p left join back r on r.payment_id = p.provider_payment_id where p.status = 'captured' group by p.currency
    ), balances as (
      select e.currency,
        sum(l.amount_paise) filter (where l.account in ('provider', 'bank', 'receivables')) as provider,
        -sum(l.amount_paise) filter (where l.account = 'cycles') as cycles,
        -sum(l.amount_paise) filter (where l.account = 'refunds') as refunds,
        -sum(l.amount_paise) filter (where l.account = 'held') as held,
        sum(l.amount_paise) filter (where l.account = 'tds') as tds
      from ledger_lines l join ledger_entries e on e.id = l.entry_id
      where e.kind = 'BILLED' or e.kind like 'CAPTURED%' or e.kind like 'HELD%' or e.kind like 'REFUND%' group by e.currency
    )
    select coalesce(s.currency, b.currency) || ': captured ' || coalesce(captured, 0) || ', cycles ' || coalesce(s.cycles, 0) || ', refunded '
      || coalesce(refunded, 0) || ', in progress ' || coalesce(under_way, 0) || ', held ' || coalesce(s.held, 0) || ', deducted ' || coalesce(s.tds, 0) || '; the ledger says cycles ' || coalesce(b.cycles, 0)
      || ', in progress ' || coalesce(b.refunds, 0) || ', held ' || coalesce(b.held, 0) || ', with the provider ' || coalesce(provider, 0)
      || ', deducted ' || coalesce(b.tds, 0) as fault
    from sums s full join balances b on b.currency = s.currency
    where captured + s.tds is distinct from s.cycles + s.held + refunded + under_way or coalesce(s.held, 0) <> coalesce(b.held, 0) or coalesce(s.tds, 0) <> coalesce(b.tds, 0)
      or coalesce(s.cycles, 0) <> coalesce(b.cycles, 0)
      or coalesce(under_way, 0) <> coalesce(b.refunds, 0) or coalesce(captured - refunded, 0) <> coalesce(provider, 0)`,
  'a cycle gives access only when paid, by one payment of its price': `
    select 'cycle ' || c.id || ' (' || c.status || ') is paid by ' || count(p.provider_payment_id) || ' payments' as fault
    from cycles c left join cycle_payments p on p.cycle_id = c.id
    where c.price_paise > 0
    group by c.id, c.status, c.paid_at, c.price_paise having count(p.provider_payment_id) <> case when c.paid_at is null then 0 else 1 end
      or c.status in ('PAID', 'NO_PAYMENT_REQUIRED') and (c.paid_at is null or c.status = 'NO_PAYMENT_REQUIRED')
      or min(p.amount_paise) <> c.price_paise
    union all
    select 'cycle ' || id || ' (' || status || ') costs ' || price_paise || ', its plan ' || (plan ->> 'pricePaise') from cycles
    where plan ? 'pricePaise' and (price_paise < (plan ->> 'pricePaise')::bigint
        or (plan ->> 'pricePaise')::bigint = 0 and price_paise > 0)
      or price_paise = 0 and (status in ('PAID', 'PAYMENT_PENDING') or paid_at is not null)`,
  'a refunded cycle gives no access': `
    select 'cycle ' || c.id || ' is ' || c.status || ' and ' || sum(r.amount_paise - r.covers_paise - r.withheld_paise) || ' of ' || p.amount_paise || ' is refunded' as fault
    from cycles c join cycle_payments p on p.cycle_id = c.id join refunds r on r.payment_id = p.provider_payment_id and r.cycle_id = c.id
    group by c.id, c.status, p.amount_paise
    having c.status not in ('PAID', 'DEACTIVATED', 'REFUNDED') or c.status = 'PAID' and sum(r.amount_paise - r.covers_paise - r.withheld_paise) >= p.amount_paise
      or c.status = 'PAID' and bool_or(r.origin = 'PORTAL') or c.status = 'REFUNDED' and sum(r.amount_paise - r.covers_paise - r.withheld_paise) < p.amount_paise
    union all
    select 'cycle ' || c.id || ' is refunded without a refund' from cycles c where c.status = 'REFUNDED'
      and not exists (select from refunds r join cycle_payments p on p.provider_payment_id = r.payment_id and p.cycle_id = r.cycle_id
        where p.cycle_id = c.id)
    union all
    select 'payment ' || p.provider_payment_id || ' must be refunded and has no refund of its full amount' from payments p
    where p.use = 'REFUND' and not exists (
      select from refunds r where r.payment_id = p.provider_payment_id and r.origin = 'PORTAL' and r.amount_paise = p.amount_paise)`,
  'at most one cycle of an activation gives access at any time': `
    select 'cycles ' || a.id || ' and ' || b.id || ' overlap' as fault from cycles a join cycles b
      on a.activation_id = b.activation_id and a.id < b.id and daterange(a.from_date, a.to_date) && daterange(b.from_date, b.to_date)
    where a.status in ('PAID', 'NO_PAYMENT_REQUIRED') and b.status in ('PAID', 'NO_PAYMENT_REQUIRED')
      and a.adds_to is null and b.adds_to is null`,
  'a cycle has one live order, and its order and payment match it': `
    select 'cycle ' || oc.cycle_id || ' has ' || count(*) || ' live orders' as fault from order_cycles oc
    where oc.live group by oc.cycle_id, oc.of_bill having count(*) > 1
    union all
    select 'order ' || o.id || ' differs from its cycle' from payment_orders o
      left join order_cycles oc on oc.order_id = o.id left join cycles c on c.id = oc.cycle_id
    where c.id is null or (oc.live and not oc.of_bill and oc.amount_paise <> c.price_paise) or oc.of_bill <> o.of_bill or o.customer_id <> c.customer_id or o.activation_id <> c.activation_id
      or oc.live <> (o.status in ('CREATING', 'OPEN') or o.status = 'PAID' and not o.of_bill)
      or c.status in ('REMOVED', 'REFUNDED', 'DEACTIVATED') and o.status in ('CREATING', 'OPEN') and not o.of_bill
    union all
    select 'order ' || o.id || ' differs from its cycles: it is over ' || o.amount_paise || ', they over ' || sum(oc.amount_paise)
    from payment_orders o join order_cycles oc on oc.order_id = o.id
    group by o.id, o.amount_paise having o.amount_paise <> sum(oc.amount_paise) or max(oc.place) <> count(*)
      or bool_and(oc.place <> 1 or oc.cycle_id <> o.cycle_id)
    union all
    select 'payment ' || p.provider_payment_id || ' differs from its order' from payments p join payment_orders o on o.id = p.order_id
    where p.cycle_id <> o.cycle_id or p.customer_id <> o.customer_id
      or (p.use = 'CYCLE' and o.of_bill or p.use = 'DUE' and not o.of_bill)
      or p.use in ('CYCLE', 'DUE') and (p.amount_paise + coalesce((select t.tds_paise from bank_transfers t where t.payment_id = p.provider_payment_id), 0) <> o.amount_paise or p.currency <> o.currency or o.status <> 'PAID')
    union all
    select 'order ' || o.id || ' is marked as paid without a payment' from payment_orders o
    where o.status = 'PAID' and not exists (select from payments p where p.order_id = o.id and p.use in ('CYCLE', 'DUE'))`,
  'a cycle has the days and quotas of its plan and starts no earlier than it was created or paid': `
    select 'cycle ' || id || ' lasts ' || (to_date - from_date) || ' days' as fault from cycles
    where plan ? 'maxDays' and adds_to is null and to_date - from_date <> (plan ->> 'maxDays')::integer
    union all
    select 'pack ' || p.id || ' lasts beyond cycle ' || c.id || ', or is not of it' from cycles p join cycles c on c.id = p.adds_to
    where p.to_date <> c.to_date or p.from_date < c.from_date or c.adds_to is not null or p.activation_id <> c.activation_id
      or p.status in ('PAID', 'PAYMENT_PENDING') and c.status not in ('PAID', 'NO_PAYMENT_REQUIRED')
    union all
    select 'cycle ' || id || ' has other quotas than its plan' from cycles
    where plan ? 'dailyQuota' and (daily_quota, monthly_quota, rps)
      is distinct from ((plan ->> 'dailyQuota')::integer, (plan ->> 'monthlyQuota')::integer, (plan ->> 'rps')::integer)
    union all
    select 'cycle ' || id || ' starts on ' || from_date || ', before it was created or paid' from cycles
    where from_date < (greatest(created_at, paid_at) at time zone 'Asia/Kolkata')::date`,
  // Also the free quota of a product: a customer gets it once, however often it is activated.
  'no more calls are counted than the plans of these days allow': `
    select ${takenOf} || ' of ' || m.sold + p.added || ' units' as fault
    from quota_counters q cross join lateral (
      select coalesce(max(case when q.kind in ('day', 'free-day') then c.daily_quota else c.monthly_quota end), 0) as sold, array_agg(c.id) as ids
      from cycles c where c.customer_id = q.customer_id and c.service_id = q.service_id and c.adds_to is null and c.from_date < q.to_date
        and q.from_date < c.to_date and c.status not in ('PAYMENT_PENDING', 'REMOVED') and case q.kind when 'cycle' then c.id = q.scope_id when 'day' then c.activation_id = q.scope_id else ${isFreeCycle} end
    ) m cross join lateral (select coalesce(sum(added_units(id)), 0) as added from unnest(m.ids) id where q.taken > m.sold) p
    where q.taken > m.sold + p.added`,
  'at most one activation and one trial per product': `
    select 'customer ' || customer_id || ' has ' || service_id || ' ' || count(*) || ' times' as fault from activations
    where deleted_at is null group by customer_id, service_id having count(*) > 1
    union all
    select 'customer ' || customer_id || ' had the trial of ' || service_id || ' ' || count(*) || ' times' from cycles
    where tenure = 'TRIAL' and status <> 'REMOVED' group by customer_id, service_id having count(*) > 1
    union all
    select 'cycle ' || c.id || ' does not match its activation''s customer and product' from cycles c left join activations a on a.id = c.activation_id
    where (a.customer_id, a.service_id) is distinct from (c.customer_id, c.service_id)
    union all
    select 'activation ' || a.id || ' is deleted and cycle ' || c.id || ' is ' || c.status from activations a join cycles c on c.activation_id = a.id
    where a.deleted_at is not null and (c.status = 'PAYMENT_PENDING'
      or c.status in ('PAID', 'NO_PAYMENT_REQUIRED') and c.to_date > (a.deleted_at at time zone 'Asia/Kolkata')::date)`,
};
