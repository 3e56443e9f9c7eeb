import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#shared/database/connect.ts';
import type { Day } from '#shared/domain/day.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';

/** Invoices or paid plans of one product and plan that are alike. */
const soldRow = z.object({
  productId: z.string(),
  planId: z.string(),
  planName: z.string(),
  /** When the invoices were issued; the first day of the plans. */
  day: z.string(),
  fromDate: z.string(),
  toDate: z.string(),
  /** Of each invoice. */
  taxablePaise: z.number(),
  sold: z.number(),
});

/** Sums the days that are over. */
export async function sumDays(db: Db, today: Day): Promise<void> {
  await sql`select sum_days(${today})`.execute(db);
}

/** The last day that is summed; days after it are read from the rows. Part of the statement that reads the sums, so that no day is in both. */
const lastSummed = sql`(select coalesce(max(day), '-infinity') from summed_days)`;

/** Invoices or paid plans that run after the day before `from`, as they were sold: what ended, was credited or cancelled later is still in them. */
export async function selectSold(db: Db, as: 'INVOICE' | 'PLAN', from: Day, last: Day | null) {
  const through = last ?? 'infinity';
  const result = await sql`
    select service_id as "productId", plan_id as "planId", plan_name as "planName", day, from_date as "fromDate", to_date as "toDate",
      taxable_paise as "taxablePaise", sold
    from (
      select * from sold_sums where day <= ${through}
      union all select * from sold_between(${lastSummed} + 1, ${through})
    ) s where sold_as = ${as} and greatest(to_date, day + 1) > ${from}`.execute(db);
  return checkedRows(soldRow, result);
}

const cashRow = z.object({ day: z.string(), paise: z.number() });

/** Rupees that the payment provider took in less what it paid back, by day. */
export async function selectProviderCash(db: Db, from: Day, to: Day) {
  const result = await sql`
    select day, cash_paise as paise from summed_days where day between ${from} and ${to}
    union all select day, paise from cash_between(greatest(${from}::date, ${lastSummed} + 1), ${to})`.execute(db);
  return checkedRows(cashRow, result);
}
