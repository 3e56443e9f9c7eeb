import { sql } from 'kysely';
import { z } from 'zod';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import type { Db } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import { refusalCodes } from '#shared/domain/call-problem.ts';
import { addDays, type Day, startOfDay } from '#shared/domain/day.ts';
import { selectProviderCash, selectSold } from '#server/features/bookkeeping/bookkeeping.ts';
import type { Portal } from '#server/portal.ts';

/** Some days in India, both included. */
export interface Span {
  from: Day;
  to: Day;
}

const daySchema = z.string();

/**
 * What came in less what was paid back, by day: rupees of the payment provider and of the bank account, without settlements and disputes. A bank
 * transfer counts on the day on which the books have it.
 */
export async function selectCash(db: Db, { from, to }: Span) {
  const transferred = await sql`
    select r.booked_on as day, sum(l.amount_paise) as paise
    from refunds r join ledger_entries e on e.id = 'paid:' || r.id join ledger_lines l on l.entry_id = e.id and l.account = 'bank'
    where r.booked_on between ${from} and ${to} and e.currency = 'INR' group by 1
    union all
    select t.booked_on, sum(l.amount_paise) from bank_transfers t
      join ledger_entries e on e.payment_id = t.payment_id and e.kind in ('CAPTURED_FOR_CYCLE', 'CAPTURED_FOR_BILL') join ledger_lines l on l.entry_id = e.id and l.account = 'bank'
    where t.booked_on between ${from} and ${to} and e.currency = 'INR' group by 1`.execute(db);
  const atBank = checkedRows(z.object({ day: daySchema, paise: z.number() }), transferred);
  return [...(await selectProviderCash(db, from, to)), ...atBank];
}

const planRow = z.object({
  productId: z.string(),
  planId: z.string(),
  planName: z.string(),
  fromDate: daySchema,
  toDate: daySchema,
  plans: z.number(),
});

/**
 * Paid plans that gave access on any of the days or will after them, by plan and by the days from which and until which they do. Those that ended early
 * are taken away again for the days that they lost.
 */
export async function selectPaidPlans(db: Db, { from }: Span): Promise<z.output<typeof planRow>[]> {
  const sold = await selectSold(db, 'PLAN', from, null);
  const ended = await sql`
    select service_id as "productId", plan ->> 'planId' as "planId", max(plan ->> 'name') as "planName",
      greatest(from_date, (ended_at at time zone 'Asia/Kolkata')::date) as "fromDate", to_date as "toDate", -count(*) as plans
    from cycles where ended_at is not null and paid_at is not null and adds_to is null and status in ('DEACTIVATED', 'REFUNDED') and to_date > ${from}
    group by 1, 2, 4, 5`.execute(db);
  return [...sold.map(({ sold: plans, ...plan }) => ({ ...plan, plans })), ...checkedRows(planRow, ended)];
}

/** Answered calls by day and product. */
export async function selectCalls(db: Db, { from, to }: Span) {
  const result = await sql`
    select u.day, a.service_id as "productId", sum(u.calls) as calls
    from usage_counts u join activations a on a.id = u.activation_id
    where u.day between ${from} and ${to} group by 1, 2`.execute(db);
  return checkedRows(z.object({ day: daySchema, productId: z.string(), calls: z.number() }), result);
}

/** Calls of some customers. */
export async function selectCallsOf(db: Db, { from, to }: Span, customerIds: readonly string[]) {
  const result = await sql`
    select a.customer_id as "customerId", c.name, coalesce(sum(u.calls), 0) as calls
    from activations a join customers c on c.id = a.customer_id
      left join usage_counts u on u.activation_id = a.id and u.day between ${from} and ${to}
    where a.customer_id = any(${customerIds}) group by 1, 2`.execute(db);
  return checkedRows(z.object({ customerId: z.string(), name: z.string(), calls: z.number() }), result);
}

/** Calls that the gateway refused, by day and product, and the first of the days that the log still has. */
export async function selectRefused({ db, requestLog }: Pick<Portal, 'db' | 'requestLog'>, { from, to }: Span) {
  const refused = await requestLog.refusedIn({ from, to }, refusalCodes);
  const ids = [...new Set(refused.map(({ activationId }) => activationId))];
  const products = await db
    .selectFrom('activations')
    .select(['id', 'service_id'])
    .where(condition`id = any(${ids}::text[])`)
    .execute();
  const productOf = new Map(products.map((row) => [row.id, row.service_id]));
  return {
    rows: refused.flatMap(({ activationId, ...of }) => {
      const productId = productOf.get(activationId);
      return productId === undefined ? [] : [{ ...of, productId }];
    }),
    firstDay: await requestLog.firstDayIn({ from, to }),
  };
}

const isFree = (cycle: 'f' | 'e') =>
  sql.raw(
    `${cycle}.price_paise = 0 and ${cycle}.granted_reason is null and ${cycle}.status in ('NO_PAYMENT_REQUIRED', 'DEACTIVATED')`,
  );

/** Customers whose first free plan or trial of a product began on these days, and how many of them paid for the product later. */
export async function selectStarts(db: Db, { from, to }: Span) {
  const result = await sql`
    select f.service_id as "productId", count(distinct f.customer_id) as "startedFree", count(distinct f.customer_id) filter (where exists (
      select from cycles p where p.customer_id = f.customer_id and p.service_id = f.service_id and p.paid_at >= f.created_at and p.adds_to is null)) as "nowPaid"
    from cycles f
    where ${isFree('f')} and f.created_at >= ${new Date(startOfDay(from))} and f.created_at < ${new Date(startOfDay(addDays(to, 1)))}
      and not exists (select from cycles e where e.customer_id = f.customer_id and e.service_id = f.service_id and ${isFree('e')} and e.created_at < f.created_at)
    group by 1`.execute(db);
  return checkedRows(z.object({ productId: z.string(), startedFree: z.number(), nowPaid: z.number() }), result);
}
