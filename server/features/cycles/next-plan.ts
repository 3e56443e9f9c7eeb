import { type Catalog, findPlan, type Product, termsOf } from '#catalog/catalog.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { accessStatuses, type CycleDates, cycleFrom, datesWhenPaidTogether, overlaps } from '#shared/domain/cycle.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { readBuyer } from '#server/features/documents/documents.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { productFor } from './offered-plans.ts';
import { priceFor } from './price-due.ts';
import { type CycleRow, selectTakenDays } from './store.ts';

/** The last cycles of an activation that give access, now or later: the last one, and the last that an operator did not give. */
export async function selectLastCycles(
  owner: Owner,
  db: Db | Tx,
  activationId: string,
): Promise<{ last: CycleRow | undefined; sold: CycleRow | undefined }> {
  const ending = db
    .selectFrom('cycles')
    .selectAll()
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .where('status', 'in', accessStatuses)
    .where('adds_to', 'is', null)
    .orderBy('to_date', 'desc')
    .limit(1);
  const last = await ending.executeTakeFirst();
  if (last?.granted_reason == null) return { last, sold: last };
  return { last, sold: await ending.where('granted_reason', 'is', null).executeTakeFirst() };
}

/** Subscriptions that begin on a day and wait for their payment, oldest first. */
export function selectUnpaidOn(owner: Owner, db: Db | Tx, activationId: string, day: Day): Promise<CycleRow[]> {
  return db
    .selectFrom('cycles')
    .selectAll()
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .where('status', '=', 'PAYMENT_PENDING')
    .where('from_date', '=', day)
    .where('adds_to', 'is', null)
    .where('replaces', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** What waits for its payment and would cover some of these days if it were paid today. */
export async function selectUnpaidOver(
  owner: Owner,
  db: Db | Tx,
  activationId: string,
  days: CycleDates,
  today: Day,
): Promise<CycleRow[]> {
  const unpaid = await db
    .selectFrom('cycles')
    .selectAll()
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .where('status', '=', 'PAYMENT_PENDING')
    .where('adds_to', 'is', null)
    .execute();
  const taken = await selectTakenDays(owner, db, activationId);
  return unpaid.filter(({ from_date: fromDate, to_date: toDate, replaces }) =>
    datesWhenPaidTogether([{ fromDate, toDate, replaces }], today, taken).some((dates) => overlaps(dates, days)),
  );
}

export interface NextPlan {
  product: Product;
  dates: CycleDates;
  /** For this buyer, at the tax rate of the first day. */
  pricePaise: number;
}

/** A plan as it is on sale for a cycle that begins on a day; undefined when this customer can't buy it any more. */
export async function nextPlan(
  portal: Portal,
  owner: Owner,
  db: Db | Tx,
  { catalog, productId, planId, startDate }: { catalog: Catalog; productId: string; planId: string; startDate: Day },
): Promise<NextPlan | undefined> {
  const product = catalog.find(productId);
  const plan = product && findPlan(await productFor(db, owner, product), planId);
  if (!plan) return undefined;
  const terms = termsOf(plan, startDate);
  const cycle = { plan: terms, service_id: productId, from_date: startDate };
  const { totalPaise } = priceFor(await readBuyer(portal, owner, db), cycle, dayOf(portal.clock()));
  return { product, dates: cycleFrom(startDate, terms.maxDays), pricePaise: totalPaise };
}
