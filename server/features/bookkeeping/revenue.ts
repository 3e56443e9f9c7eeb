import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import { type Revenue, revenueSteps } from '#shared/domain/books.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import { earningOf } from '#shared/domain/earning.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
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

/**
 * The revenue of some days, both included. PostgreSQL sums the invoices that nothing changed, which are nearly all: those of one plan, price and
 * days earn the same. Only the others are read one by one.
 */
export function readRevenue(db: Db, span: Span, mostCustomers: number): Promise<SpanRevenue> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { byDay, byInvoice } = await readChanged(tx, span);
      const changed = [...byInvoice].map(([{ cycleId, customerId }, paise]) => ({ cycleId, customerId, paise }));
      const { groups, customers } = await selectSteady(tx, span, changed, mostCustomers);
      for (const { invoices, ...invoice } of groups) {
        for (const { on, paise } of earningOf(invoice, [], span.to).days)
          if (on >= span.from) byDay.set(on, (byDay.get(on) ?? 0) + invoices * paise);
      }
      const plans = await selectSoldPlans(tx, changed);
      return { byDay, byPlan: [...groups, ...plans], customers };
    });
}

/** The revenue of invoices with a credit note, or whose plan ended early. */
async function readChanged(tx: Tx, span: Span): Promise<Revenue> {
  const documents = await selectBookDocuments(tx, isChangedIn(span));
  const ends = await selectEnds(tx, [...new Set(documents.map(({ cycleId }) => cycleId))]);
  return breathing(revenueSteps({ documents, ends }, span));
}

/** Invoices `i` that earn or are issued in the days; to the letter as in their index. */
const earnsIn = ({ from, to }: Span) =>
  condition`i.kind = 'INVOICE' and i.issued_on <= ${to} and greatest(i.content #>> '{item,toDate}', text_of_day(i.issued_on + 1)) > ${from}`;

/** Changed invoices that earn in the days, those credited in them, and the credit notes of both. */
const isChangedIn = (span: Span) => condition`documents.id in (
    with changed as (
      select i.id from cycles c join documents i on i.cycle_id = c.id
        where c.ended_at is not null and c.paid_at is not null and ${earnsIn(span)}
      union select i.id from documents n join documents i on i.id = n.refers_to
        where n.kind = 'CREDIT_NOTE' and (n.issued_on between ${span.from} and ${span.to} or ${earnsIn(span)})
    )
    select id from changed
    union all select n.id from changed join documents n on n.refers_to = changed.id where n.kind = 'CREDIT_NOTE')`;

/** What an unchanged invoice has earned by the end of a day, as `earningOf` has it. */
const earnedBy = (day: Day) => sql`case when issued_on > ${day}::date then 0
    else (2 * taxable_paise * least(greatest(${day}::date - from_date + 1, 0), to_date - from_date) + (to_date - from_date))
      / (2 * (to_date - from_date)) end`;

const steadyRow = z.object({
  groups: z.array(
    z.object({
      productId: z.string(),
      planId: z.string(),
      planName: z.string(),
      issuedOn: z.string(),
      fromDate: z.string(),
      toDate: z.string(),
      taxablePaise: z.number(),
      invoices: z.number(),
      paise: z.number(),
    }),
  ),
  customers: z.array(z.object({ customerId: z.string(), paise: z.number() })),
});

/** The invoices that nothing changed, in groups that earn the same, and the customers with the most revenue of these and the changed ones. */
async function selectSteady(
  tx: Tx,
  span: Span,
  changed: readonly { customerId: string; paise: number }[],
  mostCustomers: number,
) {
  const result = await sql`
    with earning as materialized (
      select i.id, i.cycle_id, i.customer_id, i.issued_on, i.taxable_paise,
        (i.content #>> '{item,fromDate}')::date as from_date, (i.content #>> '{item,toDate}')::date as to_date
      from documents i where ${earnsIn(span)}
        and not exists (select from documents n where n.refers_to = i.id and n.kind = 'CREDIT_NOTE')
        and not exists (select from e_invoices e where e.document_id = i.id and e.cancelled_at is not null)
    ), steady as (
      select i.*, c.service_id, c.plan ->> 'planId' as plan_id, c.plan ->> 'name' as plan_name
      from earning i join cycles c on c.id = i.cycle_id where c.ended_at is null or c.paid_at is null
    ), sums as materialized (
      select service_id, plan_id, max(plan_name) as plan_name, customer_id, issued_on, from_date, to_date, taxable_paise,
        count(*) as invoices, sum(${earnedBy(span.to)} - ${earnedBy(addDays(span.from, -1))}) as paise, grouping(customer_id) as of_plan
      from steady group by grouping sets ((service_id, plan_id, issued_on, from_date, to_date, taxable_paise), (customer_id))
    )
    select (
      select coalesce(jsonb_agg(jsonb_build_object('productId', service_id, 'planId', plan_id, 'planName', plan_name, 'issuedOn', issued_on,
        'fromDate', from_date, 'toDate', to_date, 'taxablePaise', taxable_paise, 'invoices', invoices, 'paise', paise)), '[]')
      from sums where of_plan = 1
    ) as groups, (
      select coalesce(jsonb_agg(jsonb_build_object('customerId', customer_id, 'paise', paise) order by paise desc, customer_id), '[]') from (
        select customer_id, sum(paise) as paise from (
          select customer_id, paise from sums where of_plan = 0
          union all select * from unnest(${changed.map((each) => each.customerId)}::text[], ${changed.map((each) => each.paise)}::bigint[])
        ) each group by customer_id order by paise desc, customer_id limit ${mostCustomers}
      ) top where paise <> 0
    ) as customers`.execute(tx);
  const [row] = checkedRows(steadyRow, result);
  if (row === undefined) throw new Error('sums are one row');
  return row;
}

/** The revenue of some cycles with their products and plans. */
async function selectSoldPlans(tx: Tx, sold: readonly { cycleId: string; paise: number }[]) {
  const result = await sql`
    select c.service_id as "productId", c.plan ->> 'planId' as "planId", max(c.plan ->> 'name') as "planName", sum(s.paise) as paise
    from unnest(${sold.map(({ cycleId }) => cycleId)}::text[], ${sold.map(({ paise }) => paise)}::bigint[]) s (id, paise)
      join cycles c on c.id = s.id group by 1, 2`.execute(tx);
  return checkedRows(
    z.object({ productId: z.string(), planId: z.string(), planName: z.string(), paise: z.number() }),
    result,
  );
}
