import { sql } from 'kysely';
import { z } from 'zod';
import type { Catalog } from '#catalog/catalog.ts';
import type { RenewalEffect } from '#shared/contract/renewal-effect.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { accessStatuses } from '#shared/domain/cycle.ts';
import { type Day, dayOf, istTime } from '#shared/domain/day.ts';
import { type KeptUntil, notErasedBefore } from '#shared/domain/erasure.ts';
import { leastDuePaise } from '#shared/domain/pay-later.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { refundOfEnd } from '#shared/domain/cycle-end.ts';
import { listCycleRecords, previewEnd } from '#server/features/cycles/cycles.ts';
import { renewalEffect, selectMandates } from '#server/features/mandates/mandates.ts';
import type { Owner } from '#server/portal.ts';
import { countErasure, type ErasureCount } from './count-erasure.ts';
import { readKept, selectRequest } from './requests.ts';
import { noSuchCustomer, OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** A customer before an erasure. */
export interface ErasureFacts {
  customerId: string;
  name: string;
  email: string;
  /** Since when the customer asks for it. */
  askedAt: Date | null;
  keysInUse: number;
  /** Plans and packs that were paid and still run, packs of granted plans too: their days are forfeited, unless the plan refunds unused ones. */
  paidPlans: { cycleId: string; productId: string; planName: string; toDate: Day }[];
  /** Money and papers that are not finished; nothing is erased before they are. */
  open: string[];
  /** Until when the papers stay; null when there are none. */
  kept: KeptUntil | null;
  /** The day before which the law forbids the erasure. */
  notBefore: Day | null;
  counts: ErasureCount[];
  /** What ending the paid plans would refund. */
  refundPaise: number;
  /** What ends by itself with the plans: renewals by mandate, and debits that the bank was asked for. */
  renewals: (RenewalEffect & { planName: string })[];
  /** Plans of the catalogue that name the customer's address. The operator takes it out: a catalogue is written by hand. */
  privatePlans: PrivatePlan[];
}

export interface PrivatePlan {
  productId: string;
  planId: string;
}

/** What is open, as sentences; the number of each. In the order in which an operator would look at them. */
const openMatters: readonly (readonly [condition: string, text: string])[] = [
  [
    `select count(*) from refunds where customer_id = $customer and status <> 'PROCESSED'`,
    'refunds are not paid out yet: octroi refunds list shows those that wait for you',
  ],
  [
    `select count(*) from payments where customer_id = $customer and use = 'HELD'`,
    'bank transfers are held: octroi transfers list',
  ],
  [
    `select count(*) from credit_bills where customer_id = $customer and due_paise >= ${leastDuePaise}`,
    'bills are still to be paid: octroi customers bills',
  ],
  [`select count(*) from disputes where customer_id = $customer and ended_at is null`, 'disputes are open'],
  [
    `select count(*) from tds_claims where customer_id = $customer and status = 'WAITING'`,
    'TDS claims wait for your decision: octroi tds list',
  ],
  [
    `select count(*) from open_vouchers v join documents d on d.id = v.document_id where d.customer_id = $customer`,
    'plans are paid in advance and have not started: refund them first, with octroi refund',
  ],
  [
    `select count(*) from unsettled_payments u join payment_orders o on o.id = u.order_id where o.customer_id = $customer`,
    'payments are not settled: octroi payments show',
  ],
  [
    `select count(*) from webhook_inbox t where processed_at is null and body #>> '{payload,payment,entity,order_id}' in
      (select provider_order_id from payment_orders where customer_id = $customer)`,
    'messages of Razorpay are not processed: octroi payments show',
  ],
  [
    `select count(*) from e_invoice_waits w join documents d on d.id = w.document_id where d.customer_id = $customer and w.closed_at is null`,
    'documents wait for their registration: octroi e-invoices list',
  ],
];

const countRow = z.object({ count: z.coerce.number().int() });
const lastRow = z.object({ last: z.coerce.date() });

/** What erasing a customer concerns. Throws OperatorRefusal when the customer doesn't exist or is erased already. */
export async function readErasureFacts(
  db: Db | Tx,
  catalog: Catalog,
  id: string,
  nowMs: number,
): Promise<ErasureFacts> {
  const today = dayOf(nowMs);
  const customer = await db
    .selectFrom('customers')
    .select(['id', 'name', 'email', 'erased_at'])
    .where('id', '=', id.trim())
    .executeTakeFirst();
  if (!customer) throw noSuchCustomer(id);
  if (customer.erased_at !== null)
    throw new OperatorRefusal(
      `${customer.id} is erased already, since ${istTime(customer.erased_at)}.`,
      'nothing_to_change',
    );
  const customerId = customer.id;
  const request = await selectRequest(db, { customerId });
  const keys = await db
    .selectFrom('api_keys')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('revoked_at', 'is', null)
    .execute();
  const paid = await db
    .selectFrom('cycles')
    .select(['id', 'service_id', 'plan', 'to_date'])
    .where('customer_id', '=', customerId)
    .where('status', 'in', accessStatuses)
    .where('price_paise', '>', 0)
    .where('to_date', '>', today)
    .orderBy('id')
    .execute();
  return {
    customerId,
    name: customer.name,
    email: customer.email,
    askedAt: request?.asked_at ?? null,
    keysInUse: keys.length,
    paidPlans: paid.map((cycle) => ({
      cycleId: cycle.id,
      productId: cycle.service_id,
      planName: cycle.plan.name,
      toDate: cycle.to_date,
    })),
    open: await selectOpen(db, customerId),
    kept: await readKept(db, { customerId }),
    notBefore: notErasedBefore(dayOf((await selectLastProcessed(db, customerId)).getTime()), today),
    counts: await countErasure(db, { customerId }),
    refundPaise: await previewRefund(db, { customerId }, today),
    renewals: await previewRenewals(db, { customerId }, nowMs),
    privatePlans: plansNaming(catalog, customer.email),
  };
}

async function previewRefund(db: Db | Tx, owner: Owner, today: Day): Promise<number> {
  let paise = 0;
  for (const activation of await selectLive(db, owner))
    for (const record of await listCycleRecords(owner, db, activation)) {
      const ended = previewEnd(record, today);
      if (ended) paise += refundOfEnd(ended);
    }
  return paise;
}

async function previewRenewals(db: Db | Tx, owner: Owner, nowMs: number): Promise<ErasureFacts['renewals']> {
  const effects: ErasureFacts['renewals'] = [];
  for (const activation of await selectLive(db, owner)) {
    const records = await listCycleRecords(owner, db, activation);
    const effect = await renewalEffect(owner, db, activation, records, nowMs);
    const [mandate] = await selectMandates(owner, db, activation);
    if (mandate && (effect.renewal ?? effect.debitAmount) !== null)
      effects.push({ planName: mandate.plan_name, ...effect });
  }
  return effects;
}

/** The activations that are not deleted. */
export async function selectLive(db: Db | Tx, { customerId }: Owner): Promise<string[]> {
  const live = db.selectFrom('activations').select('id').where('customer_id', '=', customerId);
  return (await live.where('deleted_at', 'is', null).execute()).map(({ id }) => id);
}

function plansNaming({ products }: Catalog, email: string): PrivatePlan[] {
  return products.flatMap(({ id: productId, plans }) =>
    plans.flatMap(({ planId, customers = [] }) =>
      customers.includes(email.toLowerCase()) ? [{ productId, planId }] : [],
    ),
  );
}

async function selectOpen(db: Db | Tx, customerId: string): Promise<string[]> {
  const open: string[] = [];
  for (const [query, text] of openMatters) {
    const [before = '', after = ''] = query.split('$customer');
    const result = await sql`${sql.raw(before)}${customerId}${sql.raw(after)}`.execute(db);
    const { count } = checkedRows(countRow, result)[0] ?? { count: 0 };
    if (count > 0) open.push(`${count} ${text}`);
  }
  return open;
}

/** When something of the customer was last written or used. */
async function selectLastProcessed(db: Db | Tx, customerId: string): Promise<Date> {
  const result = await sql`select greatest(created_at,
    (select max(s.last_used_at) from sessions s join members m on m.id = s.member_id where m.customer_id = c.id), (select max(issued_at) from documents where customer_id = c.id),
    (select max(changed_at) from support_threads where customer_id = c.id),
    (select max(u.last_at) from usage_counts u join activations a on a.id = u.activation_id where a.customer_id = c.id)) as last
    from customers c where id = ${customerId}`.execute(db);
  const [row] = checkedRows(lastRow, result);
  if (!row) throw new Error(`customer ${customerId} is gone`);
  return row.last;
}
