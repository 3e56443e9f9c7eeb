import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { csvOf } from '#shared/domain/csv.ts';
import { istTime, startOfDay } from '#shared/domain/day.ts';
import { firstDayOf, type Month, nextMonth } from '#shared/domain/month.ts';
import { rupees } from '#shared/domain/money.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

const row = z.object({
  paysFor: z.string(),
  customerId: z.string(),
  name: z.string(),
  planName: z.string(),
  mandateId: z.string(),
  agreedAt: z.date(),
  ceilingPaise: z.number(),
  fromDate: z.string(),
  paise: z.number(),
  toldAt: z.date().nullable(),
  mailedAt: z.date().nullable(),
  orderId: z.string().nullable(),
  attempt: z.number().nullable(),
  askedAt: z.date().nullable(),
  state: z.string().nullable(),
  endedAt: z.date().nullable(),
  reason: z.string().nullable(),
  paymentId: z.string().nullable(),
  refundedPaise: z.number(),
});

/**
 * Each debit by mandate that was announced, asked for, answered or refunded in a month, with the notice before it: what a bookkeeper shows for a debit that a
 * customer's bank asks about. A notice without a debit was skipped, withheld or paid otherwise. The
 * period is the one that is paid: days that the provider gave after the notice move it. A pack has no period: its day is that of the debit, or of its notice.
 */
export async function renewalsCsv(db: Db, month: Month): Promise<string> {
  const [from, to] = [firstDayOf(month), firstDayOf(nextMonth(month))].map((day) => new Date(startOfDay(day)));
  const found = await sql`
    with debited as (
      select d.*, case when d.first_day is null or d.state in ('ASKED', 'SENT', 'PAID') then c.from_date else d.first_day end as from_date, coalesce(taken.ids, d.payment_id) as payments, coalesce(r.paise, 0) as refunded_paise, told.dedupe_key as notice
      from mandate_debits d join cycles c on c.id = d.cycle_id left join recharges a on a.order_id = d.order_id
        left join lateral (
          select dedupe_key from event_keys where customer_id = d.customer_id and happened_at <= d.asked_at
            and starts_with(dedupe_key, case when d.first_day is null then 'recharge:' || d.mandate_id || ':' || a.cycle_id || ':' || a.quota_units
              else 'renewal:' || d.mandate_id || ':' || to_char(d.first_day, 'YYYY-MM-DD') end || ':' || d.amount_paise || ':')
          order by happened_at desc limit 1
        ) told on true
        left join lateral (
          select sum(amount_paise - covers_paise)::bigint as paise, max(created_at) as last from refunds
            where payment_id in (select provider_payment_id from payments where order_id = d.order_id) and created_at < ${to}
        ) r on true
        left join lateral (
          select string_agg(provider_payment_id, ' ' order by created_at, provider_payment_id) as ids from payments where order_id = d.order_id and status = 'captured'
        ) taken on true
      where d.asked_at < ${to} and (d.asked_at >= ${from} or d.ended_at >= ${from} and d.ended_at < ${to} or r.last >= ${from})
    ), listed as (
      select case when first_day is null then 'Recharge' else 'Renewal' end as pays_for, mandate_id, from_date, amount_paise, notice, order_id, attempt, asked_at, state, ended_at, reason, payments, refunded_paise from debited
      union all
      select case when dedupe_key like 'recharge:%' then 'Recharge' else 'Renewal' end, split_part(dedupe_key, ':', 2),
        case when dedupe_key like 'recharge:%' then (happened_at at time zone 'Asia/Kolkata')::date else split_part(dedupe_key, ':', 3)::date end,
        split_part(dedupe_key, ':', case when dedupe_key like 'recharge:%' then 5 else 4 end)::bigint, dedupe_key, null, null, null, null, null, null, null, 0
      from event_keys
      where (dedupe_key like 'renewal:MAN-%' or dedupe_key like 'recharge:MAN-%') and happened_at >= ${from} and happened_at < ${to}
        and not exists (select from debited where notice = dedupe_key)
    )
    select l.pays_for as "paysFor", m.customer_id as "customerId", u.name, m.plan_name as "planName", m.id as "mandateId", m.asked_at as "agreedAt", m.ceiling_paise as "ceilingPaise",
      l.from_date as "fromDate", l.amount_paise as paise, e.happened_at as "toldAt", mail.sent_at as "mailedAt", l.order_id as "orderId", l.attempt,
      l.asked_at as "askedAt", l.state, l.ended_at as "endedAt", l.reason, l.payments as "paymentId", l.refunded_paise as "refundedPaise"
    from listed l join mandates m on m.id = l.mandate_id join customers u on u.id = m.customer_id
      left join event_keys e on e.dedupe_key = l.notice left join mails mail on mail.dedupe_key = l.notice
    order by coalesce(e.happened_at, l.asked_at), m.id, l.attempt`.execute(db);
  return csvOf(
    [
      'Customer',
      'Name',
      'Plan',
      'For',
      'Mandate',
      'Agreed',
      'At most',
      'Period from',
      'Amount',
      'Notice',
      'Notice mailed',
      'Debit',
      'Try',
      'Asked for',
      'Result',
      'Result at',
      'Reason',
      'Payment',
      'Refunded',
    ],
    checkedRows(row, found).map((each) => [
      each.customerId,
      each.name,
      each.planName,
      each.paysFor,
      each.mandateId,
      timeOf(each.agreedAt),
      rupees(each.ceilingPaise),
      each.fromDate,
      rupees(each.paise),
      timeOf(each.toldAt),
      timeOf(each.mailedAt),
      each.orderId ?? '',
      each.attempt ?? '',
      timeOf(each.askedAt),
      each.state ?? 'NOT ASKED',
      timeOf(each.endedAt),
      each.reason ?? '',
      each.paymentId ?? '',
      rupees(each.refundedPaise),
    ]),
  );
}

const timeOf = (at: Date | null): string => (at === null ? '' : istTime(at));
