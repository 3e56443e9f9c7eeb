import { sql } from 'kysely';
import { z } from 'zod';
import { readStatement } from '#shared/contract/credit.ts';
import { addDays } from '#shared/domain/day.ts';
import { listHeld } from '#server/features/payments/payments.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { owedByRows } from './pay-later-books.ts';
import { type Life, today } from './renewal-life.ts';
import { billsOf } from './renewal-payments.ts';

const fault = z.object({ fault: z.string() });

/** Every captured rupee is a paid period, less due of a bill, a held credit, or a refund. By the rows alone: the ledger is checked beside it. */
export async function outcomeFaults({ money, customer }: Life): Promise<string[]> {
  const found = await sql`
    select 'of payment ' || id || ' over ' || paise || ', ' || became || ' became ' || coalesce(use, 'nothing') as fault from (
      select p.provider_payment_id as id, p.amount_paise as paise, p.use, case p.use
        when 'CYCLE' then (select coalesce(sum(c.amount_paise), 0) from cycle_payments c join cycles y on y.id = c.cycle_id and y.paid_at is not null where c.provider_payment_id = p.provider_payment_id)
        when 'DUE' then (select coalesce(-sum(l.amount_paise), 0) from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'receivables'
          join credit_bills b on b.cycle_id = e.cycle_id where e.payment_id = p.provider_payment_id and e.kind in ('CAPTURED_FOR_BILL', 'HELD_FOR_BILL'))
        when 'REFUND' then (select coalesce(sum(r.amount_paise - r.covers_paise), 0) from refunds r where r.payment_id = p.provider_payment_id)
        when 'HELD' then (select p.amount_paise from bank_transfers t where t.payment_id = p.provider_payment_id)
      end - case when p.use in ('CYCLE', 'DUE') then coalesce((select t.tds_paise from bank_transfers t where t.payment_id = p.provider_payment_id), 0) else 0 end as became
      from payments p where p.customer_id = ${customer.customerId} and p.status = 'captured'
    ) o where became is distinct from paise`.execute(money.portal.db);
  return checkedRows(fault, found).map(({ fault: each }) => each);
}

/** Nothing is debited that was sold on terms, no mandate pays a bill, and no pack is debited for a plan whose calls are refused. */
export async function forbiddenDebits({ money, customer }: Life): Promise<string[]> {
  const found = await sql`
    select 'debit ' || d.order_id || ' is of ' || b.cycle_id || ', which was sold on terms' as fault
      from mandate_debits d join order_cycles oc on oc.order_id = d.order_id join credit_bills b on b.cycle_id = oc.cycle_id join payments p on p.provider_payment_id = b.payment_id
      where d.customer_id = ${customer.customerId} and (d.asked_at > p.captured_at or d.state = 'PAID')
    union all
    select 'debit ' || d.order_id || ' was asked for days that were sold on terms in ' || b.cycle_id
      from mandate_debits d join cycles c on c.activation_id = d.activation_id and c.from_date <= d.first_day and d.first_day < c.to_date and c.status = 'PAID'
        join credit_bills b on b.cycle_id = c.id join payments p on p.provider_payment_id = b.payment_id
      where d.customer_id = ${customer.customerId} and d.asked_at > p.captured_at
    union all
    select 'debit ' || d.order_id || ' paid a bill' from mandate_debits d join payments p on p.order_id = d.order_id and p.use = 'DUE' where d.customer_id = ${customer.customerId}
    union all
    select 'the pack of ' || d.order_id || ' was debited for ' || b.cycle_id || ', whose calls are refused'
      from mandate_debits d join recharges r on r.order_id = d.order_id join credit_bills b on b.cycle_id = r.cycle_id
      where d.customer_id = ${customer.customerId} and b.owed_paise >= 100 and b.stops_on <= (d.asked_at at time zone 'Asia/Kolkata')::date
        and not exists (select from ledger_entries e join ledger_lines l on l.entry_id = e.id and l.account = 'receivables' where e.cycle_id = b.cycle_id and e.posted_at >= d.asked_at)`.execute(
    money.portal.db,
  );
  return checkedRows(fault, found).map(({ fault: each }) => each);
}

/** Each bill owes what its own rows say, and each payment of one is told once. */
export async function billFaults(life: Life): Promise<string[]> {
  const { db } = life.money.portal;
  const faults: string[] = [];
  for (const { cycle_id: id, price_paise: price, owed_paise: owed } of await billsOf(life, 0)) {
    const expected = await owedByRows(db, id, price);
    if (owed !== expected) faults.push(`bill ${id} owes ${owed}, and its rows say ${expected}`);
  }
  const found = await sql`
    select 'payment ' || p.provider_payment_id || ' of a bill was not told' as fault from payments p
      where p.customer_id = ${life.customer.customerId} and p.use = 'DUE' and not exists (select from event_keys e where e.dedupe_key = 'bill-paid:' || p.provider_payment_id)
    union all
    select e.dedupe_key || ' was told, and has not happened' from event_keys e where e.customer_id = ${life.customer.customerId} and starts_with(e.dedupe_key, 'bill-paid:')
      and not exists (select from payments p where p.use = 'DUE' and e.dedupe_key = 'bill-paid:' || p.provider_payment_id)`.execute(
    db,
  );
  return [...faults, ...checkedRows(fault, found).map(({ fault: each }) => each)];
}

/** After everything has come to rest: the statement says what is due, and whatever is held waits for an operator, with its reason. */
export async function statementFaults(life: Life): Promise<string[]> {
  const { money, customer } = life;
  const faults: string[] = [];
  const query = { from: addDays(today(life), -3000), to: today(life) };
  const statement = await money.ask(readStatement, { query }, customer.token);
  const due = (await billsOf(life, 0)).reduce((sum, { due_paise: paise }) => sum + paise, 0);
  if (Math.round(statement.closing * 100) !== due)
    faults.push(`${due} is due, and the statement says ${statement.closing}`);
  const held = await money.portal.db
    .selectFrom('payments')
    .select('provider_payment_id as id')
    .where('customer_id', '=', customer.customerId)
    .where('use', '=', 'HELD')
    .execute();
  const waiting = await listHeld(money.portal.db);
  for (const { id } of held) {
    const one = waiting.find(({ paymentId }) => paymentId === id);
    if (!one || (one.percent === null && one.recordedAs === null))
      faults.push(`payment ${id} is held without a reason`);
  }
  return faults;
}
