import { sql } from 'kysely';
import { expect } from 'vitest';
import { z } from 'zod';
import { addDays, type Day } from '#shared/domain/day.ts';
import { announcedBefore, debitAnsweredWithinMs } from '#shared/domain/mandate.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { orderIdOfDebit } from '#server/features/mandates/mandates.ts';
import type { ProviderPayment } from '#server/razorpay/razorpay.ts';
import { runRounds } from '#server/start-rounds.ts';
import { billFaults, forbiddenDebits, outcomeFaults, statementFaults } from './credit-rules.ts';
import { rechargeFaults, untoldRecharges } from './recharge-rules.ts';
import { daysTo, endOf, everyStep, type Life, move, paymentsOf, runStep, today } from './renewal-life.ts';
import { hourMs, quiet } from './test-money.ts';

/** Longer than a debit, its second try, and the end of its mandate take. */
const daysToSettle = 14;

/** Is a plan about to be renewed, or has it just been? */
async function isEnding(life: Life): Promise<boolean> {
  const end = await endOf(life);
  return end !== undefined && Math.abs(daysTo(life, end)) <= announcedBefore;
}

/** Everything that is under way comes to its end: a portal that runs, a provider that works, and time. */
export async function comeToRest(life: Life): Promise<void> {
  const { money } = life;
  await money.behave(quiet);
  Object.assign(money.portal.settings, { renewals: true });
  for (let day = 0; day < daysToSettle || (day < 2 * daysToSettle && (await isEnding(life))); day += 1) {
    await move(life, 1);
    await runRounds(money.portal);
    life.lookedOn.add(today(life));
    life.rechargedOn.add(today(life));
    for (const name of everyStep) await runStep(life, name, 'once');
  }
  // The network confirms what was cancelled on the last of them.
  await move(life, 1 / 24);
}

/** Every payment that the provider has for the orders of a customer. */
async function atProvider({ money, customer }: Life): Promise<ProviderPayment[]> {
  const { db, razorpay } = money.portal;
  const orders = await db
    .selectFrom('payment_orders')
    .select('provider_order_id as id')
    .where('customer_id', '=', customer.customerId)
    .where('provider_order_id', 'is not', null)
    .execute();
  const found: ProviderPayment[] = [];
  for (const { id } of orders) if (id !== null) found.push(...(await razorpay.listPayments(id)));
  const accounts = await db
    .selectFrom('virtual_accounts')
    .select('id')
    .where('customer_id', '=', customer.customerId)
    .execute();
  for (const { id } of accounts) for await (const page of razorpay.listTransfers(id)) found.push(...page);
  return found;
}

const gone = z.object({ paise: z.number(), lostPaise: z.number() });

/** Every payment has one outcome, and the books say of it what the provider does. */
async function paymentFaults(life: Life): Promise<string[]> {
  const { db } = life.money.portal;
  const known = await paymentsOf(life);
  const faults: string[] = [];
  for (const { id, status, amount, amount_refunded: refunded } of await atProvider(life)) {
    if (status !== 'captured' && status !== 'refunded') continue;
    const payment = known.find((each) => each.provider_payment_id === id);
    if (payment?.status !== 'captured' || payment.use === null) {
      faults.push(`payment ${id} is captured at the provider, and here ${payment?.status ?? 'unknown'}`);
      continue;
    }
    const found = await sql`
      select coalesce(-sum(l.amount_paise), 0)::bigint as paise,
        (select coalesce(sum(d.amount_paise), 0) from disputes d where d.payment_id = ${id} and d.status = 'lost')::bigint as "lostPaise"
      from ledger_lines l join ledger_entries e on e.id = l.entry_id
      where e.payment_id = ${id} and l.account = 'provider' and e.kind in ('REFUND_PAID', 'DISPUTE_LOSS')`.execute(db);
    const [{ paise, lostPaise } = { paise: 0, lostPaise: 0 }] = checkedRows(gone, found);
    if (paise !== (refunded ?? 0) + lostPaise)
      faults.push(
        `of payment ${id} the provider has refunded ${refunded}, and its bank taken ${lostPaise}; the ledger has ${paise}`,
      );
    const waits = await db
      .selectFrom('refunds')
      .select('id')
      .where('payment_id', '=', id)
      .where('status', '<>', 'PROCESSED')
      .where('payout', '=', 'PROVIDER')
      .execute();
    const disputed = await db.selectFrom('disputes').select('status').where('payment_id', '=', id).execute();
    if (waits.length > 0 && !disputed.some(({ status: state }) => ['open', 'under_review'].includes(state)))
      faults.push(`payment ${id} of ${amount}: a refund is not paid out`);
  }
  return faults;
}

const period = z.object({ mandateId: z.string(), firstDay: z.string() });

const debitRow = z.object({
  id: z.string(),
  paymentId: z.string().nullable(),
  firstDay: z.string(),
  isPaid: z.boolean(),
  leftPaise: z.number(),
  toldAt: z.date().nullable(),
  isMailed: z.boolean(),
});

/** Whatever was restored since, the provider has debited no period twice and kept both: a debit's receipt follows from what it pays for. */
async function doubleFaults({ money, customer }: Life): Promise<string[]> {
  const { db, razorpay } = money.portal;
  const periods = await sql`
    select distinct split_part(dedupe_key, ':', 2) as "mandateId", split_part(dedupe_key, ':', 3) as "firstDay"
    from event_keys where customer_id = ${customer.customerId} and dedupe_key like 'renewal:MAN-%'`.execute(db);
  const faults: string[] = [];
  for (const { mandateId, firstDay } of checkedRows(period, periods)) {
    const kept: ProviderPayment[] = [];
    for (const attempt of [1, 2]) {
      const order = await razorpay.findOrder(orderIdOfDebit(mandateId, firstDay, attempt));
      const payments = order ? await razorpay.listPayments(order.id) : [];
      kept.push(
        ...payments.filter(
          ({ status, amount, amount_refunded: refunded }) => status === 'captured' && (refunded ?? 0) < amount,
        ),
      );
    }
    if (kept.length > 1)
      faults.push(
        `the provider has debited ${mandateId} twice for ${firstDay}: ${kept.map(({ id }) => id).join(', ')}`,
      );
  }
  return faults;
}

/** Nothing is debited without a mail of a day before, over that amount, and no period is debited twice. */
async function debitFaults({ money, customer, isRestored }: Life): Promise<string[]> {
  const { db, razorpay } = money.portal;
  const found = await sql`
    select d.order_id as id, coalesce(p.provider_payment_id, d.payment_id) as "paymentId", d.activation_id || ' ' || d.first_day as "firstDay",
      p.provider_payment_id is not null as "isPaid",
      coalesce(p.amount_paise - (select coalesce(sum(r.amount_paise - r.covers_paise), 0) from refunds r where r.payment_id = p.provider_payment_id), 0)::bigint as "leftPaise",
      told.happened_at as "toldAt", exists (select from mails m where m.dedupe_key = told.dedupe_key) as "isMailed"
    from mandate_debits d
      left join payments p on p.order_id = d.order_id and p.status = 'captured'
      left join lateral (
        select dedupe_key, happened_at from event_keys where customer_id = d.customer_id
          and starts_with(dedupe_key, 'renewal:' || d.mandate_id || ':' || to_char(d.first_day, 'YYYY-MM-DD') || ':' || d.amount_paise || ':') and happened_at <= d.asked_at
        order by happened_at desc limit 1
      ) told on true
    where d.customer_id = ${customer.customerId} and d.first_day is not null`.execute(db);
  const debits = checkedRows(debitRow, found);
  const faults: string[] = [];
  for (const { id, paymentId, isPaid, toldAt, isMailed } of debits) {
    if (!toldAt || !isMailed) faults.push(`debit ${id} was not announced`);
    // It may have been made before the restore, and what told of it is lost.
    if (!isPaid || paymentId === null || !toldAt || isRestored) continue;
    const { created_at: seconds } = await razorpay.readPayment(paymentId);
    if (seconds * 1000 + 25 * hourMs < toldAt.getTime() + 24 * hourMs)
      faults.push(`debit ${id} came within a day of its announcement`);
  }
  const kept = debits.filter(({ leftPaise }) => leftPaise > 0).map(({ firstDay }) => firstDay);
  if (new Set(kept).size < kept.length) faults.push(`a period was debited twice: ${kept.join(', ')}`);
  return faults;
}

const promised = z.object({ key: z.string(), firstDay: z.string(), wasAnnounced: z.boolean(), became: z.string() });

/**
 * What was announced was debited, or the customer has a word that it was not (a skip, also by a refund of the period), or did that themselves. So it is with what had to be announced: a plan ran
 * out, though it renews.
 */
async function promiseFaults(life: Life): Promise<string[]> {
  const { money, customer, givenUp, lookedOn } = life;
  const found = await sql`
    with told as (
      select distinct on (mandate_id, first_day) * from (
        select dedupe_key as key, split_part(dedupe_key, ':', 2) as mandate_id, split_part(dedupe_key, ':', 3)::date as first_day, happened_at, true as announced
        from event_keys where customer_id = ${customer.customerId} and dedupe_key like 'renewal:MAN-%'
        union all
        select m.id || ' until ' || max(c.to_date), m.id, max(c.to_date), '-infinity', false from mandates m join cycles c on c.activation_id = m.activation_id
        where m.customer_id = ${customer.customerId} and m.ended_by = 'LAPSE' and c.adds_to is null and c.status in ('PAID', 'NO_PAYMENT_REQUIRED')
          and c.plan ->> 'planId' = m.plan_id and c.to_date <= m.ended_at::date
        group by m.id
      ) t order by mandate_id, first_day, happened_at desc
    )
    select t.key, to_char(t.first_day, 'YYYY-MM-DD') as "firstDay", t.announced as "wasAnnounced", concat_ws(' ',
      (select 'paid' from mandate_debits d where d.activation_id = m.activation_id and d.first_day = t.first_day and d.state = 'PAID'),
      (select 'failed' from mandate_debits d join event_keys e on e.dedupe_key = 'renewal-failed:' || d.order_id
        where d.activation_id = m.activation_id and d.first_day = t.first_day limit 1),
      (select 'refunded' from mandate_debits d join payments p on p.order_id = d.order_id and p.use = 'REFUND'
        where d.activation_id = m.activation_id and d.first_day = t.first_day limit 1),
      (select 'waits' from mandate_debits d where d.activation_id = m.activation_id and d.first_day = t.first_day and d.state in ('ASKED', 'SENT')
        and d.asked_at < ${new Date(money.portal.clock() - debitAnsweredWithinMs)}),
      (select 'withheld' from event_keys e where starts_with(e.dedupe_key, 'renewal-withheld:' || t.mandate_id || ':' || to_char(t.first_day, 'YYYY-MM-DD') || ':')
        and e.happened_at >= t.happened_at limit 1),
      (select 'skipped' from event_keys e where starts_with(e.dedupe_key, 'renewal-skipped:' || t.mandate_id || ':' || to_char(t.first_day, 'YYYY-MM-DD') || ':')
        and not exists (select from event_keys r where r.happened_at >= e.happened_at
          and starts_with(r.dedupe_key, 'renewal-resumed:' || t.mandate_id || ':' || to_char(t.first_day, 'YYYY-MM-DD') || ':')) limit 1),
      (select 'ended' from event_keys e where t.announced and e.dedupe_key = 'mandate-ended:' || t.mandate_id and m.ended_by <> 'LAPSE'),
      (select 'blocked' from event_keys e where starts_with(e.dedupe_key, 'account-blocked:' || m.customer_id) limit 1),
      (select 'covered' from cycles c where c.activation_id = m.activation_id and c.adds_to is null and c.status in ('PAID', 'NO_PAYMENT_REQUIRED', 'DEACTIVATED')
        and c.from_date <= t.first_day and c.to_date > t.first_day limit 1),
      (select 'deleted' from activations a where a.id = m.activation_id and a.deleted_at is not null)) as became
    from told t join mandates m on m.id = t.mandate_id where t.first_day <= ${today(life)}`.execute(money.portal.db);
  const looked = (end: Day) => [5, 4, 3, 2, 1].every((days) => lookedOn.has(addDays(end, -days)));
  return checkedRows(promised, found)
    .filter(({ became, firstDay }) => became === '' && !givenUp.has(firstDay))
    .filter(({ wasAnnounced, firstDay }) => wasAnnounced || looked(firstDay))
    .map(
      ({ key, wasAnnounced }) =>
        `${key} ${wasAnnounced ? 'was announced, and nothing became of it' : 'ran out without a word'}`,
    );
}

/** No mandate that has ended here is alive at the provider. */
async function mandateFaults({ money, customer }: Life): Promise<string[]> {
  const rows = await money.portal.db
    .selectFrom('mandates')
    .select(['id', 'state', 'token_id', 'provider_customer_id'])
    .where('customer_id', '=', customer.customerId)
    .where('state', '=', 'ENDED')
    .execute();
  const faults: string[] = [];
  for (const { id, token_id: tokenId, provider_customer_id: customerId } of rows) {
    if (tokenId === null || customerId === null) continue;
    const { recurring_details: details } = await money.portal.razorpay.readToken(customerId, tokenId);
    if (!['rejected', 'cancelled', 'expired'].includes(details?.status ?? ''))
      faults.push(`mandate ${id} has ended here, and is ${details?.status} at the provider`);
  }
  return faults;
}

/** Keys of events are deleted after 400 days. */
const keepsDays = 390;
const fault = z.object({ fault: z.string() });

/** Every fact of a renewal is told once, in the transaction that makes it one: an event is known by its key. */
async function eventFaults({ money, customer }: Life): Promise<string[]> {
  const keptSince = new Date(money.portal.clock() - keepsDays * 24 * hourMs);
  const found = await sql`
    with told as (select dedupe_key as key from event_keys where customer_id = ${customer.customerId}),
      facts as (
        select 'mandate:' || id as key, confirmed_at is not null as must, confirmed_at is not null as may, confirmed_at as at from mandates where customer_id = ${customer.customerId}
        union all
        select 'mandate-ended:' || id, state = 'ENDED', state in ('ENDED', 'LAPSED'), ended_at from mandates where customer_id = ${customer.customerId}
        union all
        select case when first_day is null then 'recharge-paid:' else 'renewal-paid:' end || order_id, state = 'PAID', state = 'PAID', ended_at from mandate_debits where customer_id = ${customer.customerId}
        union all
        -- What was taken and given back is a refund; the bank may pay after all.
        select case when d.first_day is null then 'recharge-failed:' else 'renewal-failed:' end || d.order_id, d.state = 'FAILED' and not exists (select from payments p where p.order_id = d.order_id and p.use = 'REFUND'),
          d.state in ('FAILED', 'PAID'), d.ended_at from mandate_debits d where d.customer_id = ${customer.customerId}
      )
    select key || ' was not told' as fault from facts where must and at > ${keptSince} and key not in (select key from told)
    union all
    select key || ' was told, and has not happened' from facts where not may and key in (select key from told)`.execute(
    money.portal.db,
  );
  return checkedRows(fault, found).map(({ fault: each }) => each);
}

const soundFaults = async (life: Life): Promise<string[][]> => [
  await debitFaults(life),
  await forbiddenDebits(life),
  await rechargeFaults(life),
  await eventFaults(life),
  await outcomeFaults(life),
  await billFaults(life),
];

/** At any time. */
export async function expectSoundDebits(life: Life): Promise<void> {
  expect((await soundFaults(life)).flat()).toEqual([]);
}

/** After everything has come to rest. */
export async function expectSettled(life: Life): Promise<void> {
  const faults = [
    ...(await soundFaults(life)),
    await paymentFaults(life),
    await untoldRecharges(life),
    await promiseFaults(life),
    await doubleFaults(life),
    await mandateFaults(life),
    await statementFaults(life),
  ];
  expect(faults.flat()).toEqual([]);
}
