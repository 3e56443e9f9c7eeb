import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import { type BookDocument, revenueSteps } from '#shared/domain/books.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import { type EarningInvoice, earningOf } from '#shared/domain/earning.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { selectSold } from './day-sums.ts';
import { breathing, selectBookDocuments, selectEnds } from './facts.ts';

interface Span {
  from: Day;
  to: Day;
}

/** What some days earned: by day, by plan, and by the customers with the most. */
export interface SpanRevenue {
  byDay: ReadonlyMap<Day, number>;
  byPlan: readonly { productId: string; planId: string; planName: string; paise: number }[];
  customers: readonly { customerId: string; paise: number }[];
}

/** How much more or less than an unchanged one an invoice has earned. */
interface Change {
  cycleId: string;
  customerId: string;
  paise: number;
}

/**
 * The revenue of some days, both included. Invoices of one plan, price and days earn the same, so each group is computed once, as if nothing had changed
 * its invoices. The few that something did change are read one by one, for the difference.
 */
export function readRevenue(db: Db, span: Span, mostCustomers: number): Promise<SpanRevenue> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { byDay, changes } = await readChanges(tx, span);
      const plans = (await selectSold(tx, 'INVOICE', span.from, span.to)).map((group) => {
        const days = earnedIn({ ...group, issuedOn: group.day }, span);
        for (const { on, paise } of days) byDay.set(on, (byDay.get(on) ?? 0) + group.sold * paise);
        return { ...group, paise: group.sold * sumOf(days) };
      });
      return {
        byDay,
        byPlan: [...plans, ...(await selectSoldPlans(tx, changes))],
        customers: await selectTop(tx, span, changes, mostCustomers),
      };
    });
}

const earnedIn = (invoice: EarningInvoice, { from, to }: Span) =>
  earningOf(invoice, [], to).days.filter(({ on }) => on >= from);

const sumOf = (days: readonly { paise: number }[]): number => days.reduce((sum, { paise }) => sum + paise, 0);

/** The difference that credit notes, cancelled registrations and the early ends of plans make. */
async function readChanges(tx: Tx, span: Span): Promise<{ byDay: Map<Day, number>; changes: Change[] }> {
  const documents = await selectBookDocuments(tx, isChangedIn(span));
  const ends = await selectEnds(tx, [...new Set(documents.map(({ cycleId }) => cycleId))]);
  const { byDay, byInvoice } = await breathing(revenueSteps({ documents, ends }, span));
  const differenceOf = (invoice: BookDocument): Change => {
    const unchanged = earnedIn(invoice, span);
    for (const { on, paise } of unchanged) byDay.set(on, (byDay.get(on) ?? 0) - paise);
    return {
      cycleId: invoice.cycleId,
      customerId: invoice.customerId,
      paise: (byInvoice.get(invoice) ?? 0) - sumOf(unchanged),
    };
  };
  return { byDay, changes: documents.filter(({ kind }) => kind === 'INVOICE').map(differenceOf) };
}

/** Invoices `i` that earn or are issued in the days; to the letter as in their index. */
const earnsIn = ({ from, to }: Span) =>
  condition`i.kind = 'INVOICE' and i.issued_on <= ${to} and greatest(i.to_date, i.issued_on + 1) > ${from}`;

/** Changed invoices that earn in the days, those credited in them, and the credit notes of both. */
const isChangedIn = (span: Span) => condition`documents.id in (
    with changed as (
      select i.id from cycles c join documents i on i.cycle_id = c.id
        where c.ended_at is not null and c.paid_at is not null and c.to_date > ${span.from} and ${earnsIn(span)}
      union select i.id from documents n join documents i on i.id = n.refers_to
        where n.kind = 'CREDIT_NOTE' and (n.issued_on between ${span.from} and ${span.to} or ${earnsIn(span)})
      union select i.id from e_invoices e join documents i on i.id = e.document_id where e.cancelled_at is not null and ${earnsIn(span)}
    )
    select id from changed
    union all select n.id from changed join documents n on n.refers_to = changed.id where n.kind = 'CREDIT_NOTE')`;

/** What an unchanged invoice has earned by the end of a day, as `earningOf` has it. */
const earnedBy = (day: Day) => sql`case when issued_on > ${day}::date then 0
    else (2 * taxable_paise * least(greatest(${day}::date - from_date + 1, 0), to_date - from_date) + (to_date - from_date))
      / (2 * (to_date - from_date)) end`;

const topRow = z.object({ customerId: z.string(), paise: z.number() });

/** The customers with the most revenue. */
async function selectTop(tx: Tx, span: Span, changes: readonly Change[], most: number) {
  const result = await sql`
    select customer_id as "customerId", sum(paise) as paise from (
      select customer_id, ${earnedBy(span.to)} - ${earnedBy(addDays(span.from, -1))} as paise from documents i where ${earnsIn(span)}
      union all select * from unnest(${changes.map((each) => each.customerId)}::text[], ${changes.map((each) => each.paise)}::bigint[])
    ) each group by customer_id having sum(paise) <> 0 order by sum(paise) desc, customer_id limit ${most}`.execute(tx);
  return checkedRows(topRow, result);
}

/** The changes of the revenue of some cycles by their products and plans. */
async function selectSoldPlans(tx: Tx, sold: readonly Change[]) {
  const result = await sql`
    select c.service_id as "productId", c.plan ->> 'planId' as "planId", max(c.plan ->> 'name') as "planName", sum(s.paise) as paise
    from unnest(${sold.map(({ cycleId }) => cycleId)}::text[], ${sold.map(({ paise }) => paise)}::bigint[]) s (id, paise)
      join cycles c on c.id = s.id group by 1, 2`.execute(tx);
  return checkedRows(
    z.object({ productId: z.string(), planId: z.string(), planName: z.string(), paise: z.number() }),
    result,
  );
}
