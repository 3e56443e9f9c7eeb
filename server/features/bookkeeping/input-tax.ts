import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import { csvOf } from '#shared/domain/csv.ts';
import { startOfDay } from '#shared/domain/day.ts';
import { firstDayOf, type Month, nextMonth } from '#shared/domain/month.ts';
import { rupees } from '#shared/domain/money.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

/** The payment gateway's fees, and the GST on them, that were booked on a day for the payments of a month in one settlement. */
const gstOnFees = z.object({
  paymentsOf: z.string(),
  settlementId: z.string(),
  utr: z.string().nullable(),
  bookedOn: z.string(),
  feePaise: z.number(),
  gstPaise: z.number(),
});
export type GstOnFees = z.output<typeof gstOnFees>;

/**
 * The GST on the payment gateway's fees that was booked in a month, by the month of the payments. A payment of the last days of a month is settled, and booked,
 * in the next: its fee may be on the gateway's invoice of either.
 */
export async function readGstOnFees(db: Db, month: Month): Promise<GstOnFees[]> {
  const [from, to] = [firstDayOf(month), firstDayOf(nextMonth(month))].map((day) => new Date(startOfDay(day)));
  const found = await sql`
    select to_char(i.created_at at time zone 'Asia/Kolkata', 'YYYY-MM') as "paymentsOf", i.settlement_id as "settlementId", min(s.utr) as utr,
      (e.posted_at at time zone 'Asia/Kolkata')::date as "bookedOn",
      coalesce(sum(l.amount_paise) filter (where l.account = 'fees'), 0)::bigint as "feePaise",
      coalesce(sum(l.amount_paise) filter (where l.account = 'input_tax'), 0)::bigint as "gstPaise"
    from ledger_entries e join ledger_lines l on l.entry_id = e.id
      join settlement_items i on i.settlement_id = split_part(e.id, ':', 2) and i.entity_id = split_part(e.id, ':', 3)
      join settlements s on s.settlement_id = i.settlement_id
    where e.kind in ('SETTLED', 'SETTLEMENT_FAILED') and e.currency = 'INR' and l.account in ('fees', 'input_tax')
      and e.posted_at >= ${from} and e.posted_at < ${to}
    group by 1, 2, 4, e.kind
    order by 1, min(e.position)`.execute(db);
  return checkedRows(gstOnFees, found);
}

export const inputTaxCsv = (fees: readonly GstOnFees[]): string =>
  csvOf(
    ['Payments of', 'Settlement', 'UTR', 'Booked on', 'Fee without GST', 'GST'],
    fees.map((each) => [
      each.paymentsOf,
      each.settlementId,
      each.utr ?? '',
      each.bookedOn,
      rupees(each.feePaise),
      rupees(each.gstPaise),
    ]),
  );
