import { sql } from 'kysely';
import { z } from 'zod';
import type { Catalog } from '#catalog/catalog.ts';
import { changeAccess } from '#database/access.ts';
import type { Db, Tx } from '#database/connect.ts';
import { accessStatuses } from '#domain/cycle.ts';
import { type Day, dayOf } from '#domain/day.ts';
import { type KeptUntil, notErasedBefore } from '#domain/erasure.ts';
import { checkedRows } from '#platform/checked-rows.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { returnUnusedUnits } from '#server/features/cycles/cycles.ts';
import { happened } from '#server/features/events/events.ts';
import {
  countErasure,
  type ErasureCount,
  eraseCustomer,
  eraseRest,
  readKept,
  selectRequest,
} from '#server/features/privacy/privacy.ts';
import type { OperatorContext } from '#server/operator-context.ts';
import type { Caller } from '#server/portal.ts';
import { OperatorRefusal } from './refusal.ts';

/** A customer as an erasure finds him. */
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
  /** Plans of the catalogue that name the customer's address. The operator takes it out: a catalogue is written by hand. */
  privatePlans: PrivatePlan[];
}

interface PrivatePlan {
  productId: string;
  planId: string;
}

export interface ErasureResult {
  customerId: string;
  counts: ErasureCount[];
  kept: KeptUntil | null;
  privatePlans: PrivatePlan[];
  /** Null when every living gateway refuses the keys; otherwise from this moment (ISO 8601) all of them do. */
  effectiveBy: string | null;
}

/** What an operator says must not stop an erasure. */
export interface ErasureDespite {
  /** Paid plans that run: they end too. */
  endPlans: boolean;
  /** Data that the law wants kept for a year. */
  withinYear: boolean;
}

/** What is open, as sentences; the number of each. In the order in which an operator would look at them. */
const openMatters: readonly (readonly [condition: string, text: string])[] = [
  [
    `select count(*) from refunds where customer_id = $customer and status <> 'PROCESSED'`,
    'refunds are not paid out yet',
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
    `select count(*) from e_invoice_waits w join documents d on d.id = w.document_id where d.customer_id = $customer`,
    'documents wait for their registration: octroi e-invoices list',
  ],
];

const countRow = z.object({ count: z.coerce.number().int() });
const lastRow = z.object({ last: z.coerce.date() });

/** What erasing a customer concerns. Throws OperatorRefusal when there is none, or he is erased already. */
export async function readErasureFacts(db: Db | Tx, catalog: Catalog, id: string, today: Day): Promise<ErasureFacts> {
  const customer = await db
    .selectFrom('customers')
    .select(['id', 'name', 'email', 'erased_at'])
    .where('id', '=', id.trim())
    .executeTakeFirst();
  if (!customer) throw new OperatorRefusal(`There is no customer ${id}. Find one with: octroi customers find`);
  if (customer.erased_at !== null)
    throw new OperatorRefusal(`${customer.id} is erased already, since ${customer.erased_at.toISOString()}.`);
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
    privatePlans: plansNaming(catalog, customer.email),
  };
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
    (select max(last_used_at) from sessions where customer_id = c.id), (select max(issued_at) from documents where customer_id = c.id),
    (select max(changed_at) from support_threads where customer_id = c.id),
    (select max(u.last_at) from usage_counts u join activations a on a.id = u.activation_id where a.customer_id = c.id)) as last
    from customers c where id = ${customerId}`.execute(db);
  const [row] = checkedRows(lastRow, result);
  if (!row) throw new Error(`customer ${customerId} is gone`);
  return row.last;
}

/**
 * Erases a customer (product §12.3): returns when every gateway refuses all keys, no session is left, and everything that names the person is
 * gone, but what tax law requires.
 */
export async function eraseByOperator(
  context: OperatorContext,
  id: string,
  cause: OperatorCause,
  despite: ErasureDespite,
): Promise<ErasureResult> {
  const reason = cause.reason.trim();
  const caller = { customerId: id.trim() };
  await returnAllUnused(context.db, caller, despite);
  const { result, effectiveBy } = await changeAccess(context, async (change) => {
    const { tx } = change;
    // Activations first, as settling a payment locks them; then nothing is bought, written or activated for the customer.
    await tx
      .selectFrom('activations')
      .select('id')
      .where('customer_id', '=', caller.customerId)
      .orderBy('id')
      .forUpdate()
      .execute();
    await tx.selectFrom('customers').select('id').where('id', '=', caller.customerId).forUpdate().execute();
    // Read under the locks, which may have been waited for; and the portal that took the request may be ahead of this machine.
    const now = context.clock();
    const facts = await readErasureFacts(tx, context.catalog, id, dayOf(now));
    requireErasable(facts, despite);
    const { email, counts, kept, privatePlans } = facts;
    const at = new Date(Math.max(now, facts.askedAt?.getTime() ?? now));
    const effect = {
      askedAt: facts.askedAt?.toISOString() ?? null,
      keysInUse: facts.keysInUse,
      paidPlans: facts.paidPlans.map(({ cycleId }) => cycleId),
      keptUntil: kept?.last ?? null,
      rows: Object.fromEntries(
        counts.map(({ kind, deleted, madeAnonymous, kept: stays, keptNumbers }) => [
          kind,
          { deleted, madeAnonymous, kept: stays, keptNumbers },
        ]),
      ),
    };
    await recordAction(tx, {
      ...cause,
      reason,
      action: 'customers.erase',
      target: caller.customerId,
      ...caller,
      effect,
    });
    await eraseCustomer(context, caller, change, at);
    await tx
      .updateTable('erasure_requests')
      .set({ ended_at: at, outcome: 'ERASED' })
      .where('customer_id', '=', caller.customerId)
      .where('ended_at', 'is', null)
      .execute();
    await happened(context, caller, tx, {
      type: 'account.erased',
      ...caller,
      email,
      reason,
      at,
      keptUntil: kept?.last ?? null,
    });
    return { ...caller, counts, kept, privatePlans };
  });
  await eraseRest(context.db, { customerId: result.customerId });
  return { ...result, effectiveBy };
}

/** So that packs that no call used are refunded where the plan says so, as when the customer deletes the activation. */
async function returnAllUnused(db: Db, caller: Caller, { endPlans }: ErasureDespite): Promise<void> {
  if (!endPlans) return;
  const live = db.selectFrom('activations').select('id').where('customer_id', '=', caller.customerId);
  for (const { id } of await live.where('deleted_at', 'is', null).execute()) await returnUnusedUnits(db, caller, id);
}

/** The rule for what is open: money first; what a customer paid for ends only when the operator says so. */
function requireErasable(
  { customerId, open, paidPlans, notBefore }: ErasureFacts,
  { endPlans, withinYear }: ErasureDespite,
): void {
  if (open.length > 0)
    throw new OperatorRefusal(`${customerId} can’t be erased while money or papers are open: ${open.join('; ')}.`);
  if (paidPlans.length > 0 && !endPlans)
    throw new OperatorRefusal(
      `${customerId} has paid plans that run: ${paidPlans.map(({ planName, cycleId, toDate }) => `${planName} (${cycleId}) until ${toDate}`).join(', ')}. Wait for their end, refund them with octroi refund, or add --end-plans to end them.`,
    );
  if (notBefore !== null && !withinYear)
    throw new OperatorRefusal(
      `${customerId} can’t be erased before ${notBefore}: personal data and logs are kept for a year after they were last processed (DPDP Rules 2025, rule 8(3)). Until then: octroi customers block. If your lawyer says otherwise: --within-year`,
    );
}

export interface OpenRequest {
  id: string;
  customerId: string;
  name: string;
  email: string;
  askedAt: Date;
}

/** Customers who ask to be erased, oldest first. */
export function listErasureRequests(db: Db): Promise<OpenRequest[]> {
  return db
    .selectFrom('erasure_requests as request')
    .innerJoin('customers as customer', 'customer.id', 'request.customer_id')
    .select([
      'request.id',
      'customer.id as customerId',
      'customer.name',
      'customer.email',
      'request.asked_at as askedAt',
    ])
    .where('request.ended_at', 'is', null)
    .orderBy('request.asked_at')
    .execute();
}
