import { sql } from 'kysely';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { type Life, today } from './renewal-life.ts';
import { hourMs } from './test-money.ts';

const debitRow = z.object({
  id: z.string(),
  activationId: z.string(),
  packId: z.string().nullable(),
  paise: z.number(),
  state: z.string(),
  reason: z.string().nullable(),
  toldAt: z.date().nullable(),
  isMailed: z.boolean(),
  askedAt: z.date(),
  endedAt: z.date().nullable(),
  month: z.string(),
});

async function packDebits({ money, customer }: Life) {
  const found = await sql`
    select d.order_id as id, d.activation_id as "activationId", r.pack_id as "packId", d.amount_paise::bigint as paise, d.state, d.reason,
      r.told_at as "toldAt", d.asked_at as "askedAt", d.ended_at as "endedAt",
      to_char(coalesce(d.ended_at, d.asked_at) at time zone 'Asia/Kolkata', 'YYYY-MM') as month,
      exists (select from mails where dedupe_key = 'recharge:' || d.mandate_id || ':' || r.cycle_id || ':' || r.quota_units || ':' || d.amount_paise || ':'
        || to_char(r.told_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as "isMailed"
    from mandate_debits d left join recharges r on r.order_id = d.order_id
    where d.customer_id = ${customer.customerId} and d.first_day is null`.execute(money.portal.db);
  return checkedRows(debitRow, found);
}

/** At any time: no pack is debited, or kept, but as its customer agreed to it and was told a day before. */
export async function rechargeFaults(life: Life): Promise<string[]> {
  const faults: string[] = [];
  const taken = new Map<string, number>();
  for (const debit of await packDebits(life)) {
    const { id, activationId, packId, paise, state, reason, toldAt, isMailed, askedAt, endedAt, month } = debit;
    if (!toldAt || !isMailed) faults.push(`the pack of ${id} was debited and not announced`);
    else if (askedAt.getTime() < toldAt.getTime() + 24 * hourMs)
      faults.push(`the pack of ${id} was asked for within a day of its announcement`);
    const agreed = life.recharges.filter((consent) => consent.activationId === activationId);
    const consent = agreed.find(
      ({ packId: of, from, until }) =>
        of === packId && from <= askedAt.getTime() && askedAt.getTime() <= (until ?? Infinity),
    );
    if (!consent) faults.push(`the pack of ${id} was debited without a consent`);
    if (state === 'PAID' && consent?.until !== undefined && (endedAt?.getTime() ?? 0) > consent.until)
      faults.push(`the pack of ${id} was kept after recharges were turned off or changed`);
    if (state === 'PAID') taken.set(`${activationId} ${month}`, (taken.get(`${activationId} ${month}`) ?? 0) + paise);
    // What was asked for before a restore is not known.
    if (reason?.includes('no result yet') && !life.isRestored)
      faults.push(`${id} was asked for while another one waits`);
  }
  for (const [key, paise] of taken) {
    const most = Math.max(
      ...life.recharges
        .filter(({ activationId }) => key.startsWith(`${activationId} `))
        .map(({ mostPaise }) => mostPaise),
    );
    if (paise > most) faults.push(`${key}: ${paise} paise of packs, of at most ${most}`);
  }
  return faults;
}

const untold = z.object({ id: z.string(), askedDay: z.string(), toDate: z.string() });

/** After everything has come to rest: whatever was asked for and brought no units was told, unless its customer knows it. */
export async function untoldRecharges(life: Life): Promise<string[]> {
  const { money, customer, rechargedOn } = life;
  const found = await sql`
    select d.order_id as id, to_char((d.asked_at + interval '72 hours') at time zone 'Asia/Kolkata', 'YYYY-MM-DD') as "askedDay",
      to_char(least(p.to_date, (coalesce(p.ended_at, 'infinity') at time zone 'Asia/Kolkata')::date), 'YYYY-MM-DD') as "toDate"
    from mandate_debits d join recharges r on r.order_id = d.order_id join cycles p on p.id = r.cycle_id
      join mandates m on m.id = d.mandate_id join activations a on a.id = d.activation_id
    where d.customer_id = ${customer.customerId} and r.reason is null and a.deleted_at is null and p.status in ('PAID', 'NO_PAYMENT_REQUIRED')
      and (d.state in ('DROPPED', 'ASKED', 'SENT') or d.state = 'FAILED' and exists (select from payments y where y.order_id = d.order_id and y.use = 'REFUND'))
      and not exists (select from cycles o where o.adds_to = r.cycle_id and o.paid_at >= d.asked_at)
      and not exists (select from event_keys e where e.customer_id = d.customer_id and (starts_with(e.dedupe_key, 'recharge-ended:' || m.id || ':')
        or starts_with(e.dedupe_key, 'mandate-ended:' || m.id) or starts_with(e.dedupe_key, 'account-blocked:')))`.execute(
    money.portal.db,
  );
  const rows = checkedRows(untold, found);
  return rows
    .filter(({ askedDay, toDate }) => [...rechargedOn].some((day) => askedDay <= day && day < toDate))
    .filter(({ toDate }) => toDate <= today(life))
    .map(({ id }) => `nothing came of the pack of ${id}, and nobody was told`);
}
