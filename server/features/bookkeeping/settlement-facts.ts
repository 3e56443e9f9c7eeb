import { sql } from 'kysely';
import { z } from 'zod';
import type { Tx } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import type { BookSettlement } from '#shared/domain/money-vouchers.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

/** Razorpay is registered in Karnataka: there its fee bears CGST and SGST, elsewhere IGST (IGST Act s. 7, 8 and 12). */
const providerStateCode = '29';

const rowSchema = z.object({
  kind: z.string(),
  settlement_id: z.string(),
  posted_at: z.date(),
  bank: z.number(),
  fees: z.number(),
  input_tax: z.number(),
  unmatched: z.number(),
  utr: z.string().nullable(),
  created_at: z.date(),
});

/**
 * The provider's settlements as the ledger has them, one for each day on which items of it were booked. Booked on the day on which the portal
 * read it, as a day that is over stays as it was.
 */
export async function selectBookSettlements(tx: Tx): Promise<BookSettlement[]> {
  const found = await sql`
    select e.kind, split_part(e.id, ':', 2) as settlement_id, min(e.posted_at) as posted_at,
      coalesce(sum(l.amount_paise) filter (where l.account = 'bank'), 0)::bigint as bank,
      coalesce(sum(l.amount_paise) filter (where l.account = 'fees'), 0)::bigint as fees,
      coalesce(sum(l.amount_paise) filter (where l.account = 'input_tax'), 0)::bigint as input_tax,
      -coalesce(sum(l.amount_paise) filter (where l.account = 'unmatched'), 0)::bigint as unmatched,
      min(s.utr) as utr, min(s.created_at) as created_at
    from ledger_entries e join ledger_lines l on l.entry_id = e.id join settlements s on s.settlement_id = split_part(e.id, ':', 2)
    where e.kind in ('SETTLED', 'SETTLEMENT_FAILED') and e.currency = 'INR' and e.position is not null
    group by e.kind, split_part(e.id, ':', 2), (e.posted_at at time zone 'Asia/Kolkata')::date
    order by min(e.position)`.execute(tx);
  const stateAt = await readSupplierStates(tx);
  const ids = new Set<string>();
  return checkedRows(rowSchema, found).map((row) => {
    const on = dayOf(row.posted_at.getTime());
    const plain = row.kind === 'SETTLED' ? row.settlement_id : `${row.settlement_id} returned`;
    const id = ids.has(plain) ? `${plain} ${on}` : plain;
    ids.add(id);
    const { bank: bankPaise, fees: feePaise, input_tax: tax, unmatched: unmatchedPaise } = row;
    const isInProvidersState = stateAt(row.posted_at) === providerStateCode;
    const sgstPaise = isInProvidersState ? Math.trunc(tax / 2) : 0;
    const cgstPaise = isInProvidersState ? tax - sgstPaise : 0;
    const gst = { igstPaise: tax - cgstPaise - sgstPaise, cgstPaise, sgstPaise };
    const transfer = row.utr === null ? null : { utr: row.utr, on: dayOf(row.created_at.getTime()) };
    return { id, on, bankPaise, feePaise, gst, unmatchedPaise, transfer };
  });
}

const saleSchema = z.object({ state: z.string(), issued_at: z.date() });

/**
 * The State of the supplier's registration at a time, from its latest sale until then: documents that follow others may be of a registration
 * before. A later move changes nothing that is booked.
 */
async function readSupplierStates(tx: Tx): Promise<(at: Date) => string | undefined> {
  const found = await sql`
    select state, issued_at from (
      select left(content #>> '{supplier,gstin}', 2) as state, issued_at,
        lag(left(content #>> '{supplier,gstin}', 2)) over (order by issued_at, id) as before
      from documents where refers_to is null
    ) sales where before is distinct from state order by issued_at`.execute(tx);
  const changes = checkedRows(saleSchema, found);
  return (at) => (changes.findLast(({ issued_at: since }) => since <= at) ?? changes[0])?.state;
}
