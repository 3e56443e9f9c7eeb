import type { Selectable } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import { countRows, databaseTime, later } from '#database/expressions.ts';
import type { Tables } from '#database/tables.ts';
import { transaction } from '#database/transaction.ts';
import { newId } from '#server/crypto/ids.ts';
import type { ProviderPayment } from '#server/razorpay/razorpay.ts';
import type { Caller } from '#server/portal.ts';

export type OrderRow = Selectable<Tables['payment_orders']>;
export type StoredPayment = Selectable<Tables['payments']>;

/** The cycle for an id: the cycle itself, or an activation's first unpaid one (product §8). Locks its activation first. */
export async function selectCycleToPay(caller: Caller, tx: Tx, id: string) {
  const locked = await tx
    .selectFrom('activations')
    .select('id')
    .where('customer_id', '=', caller.customerId)
    .where('deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('id', '=', id),
        where('id', 'in', where.selectFrom('cycles').select('activation_id').where('cycles.id', '=', id)),
      ]),
    )
    .forUpdate()
    .executeTakeFirst();
  if (!locked) return undefined;
  // A separate statement: one that waited for the lock would still see the cycles of before.
  const cycles = await tx
    .selectFrom('cycles')
    .selectAll()
    .where('customer_id', '=', caller.customerId)
    .where((where) => where.or([where('id', '=', id), where('activation_id', '=', id)]))
    .orderBy('from_date')
    .orderBy('created_at')
    .execute();
  return cycles.find((cycle) => cycle.status === 'PAYMENT_PENDING') ?? cycles[0];
}

/** Is this an activation of the caller (which then has nothing to pay)? */
export async function selectOwnsActivation(caller: Caller, tx: Tx, activationId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('activations')
    .select('id')
    .where('id', '=', activationId)
    .where('customer_id', '=', caller.customerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The live order of a cycle; there is at most one. */
export function findLiveOrder(tx: Tx, cycleId: string): Promise<OrderRow | undefined> {
  return tx
    .selectFrom('payment_orders')
    .selectAll()
    .where('cycle_id', '=', cycleId)
    .where('status', 'in', ['CREATING', 'OPEN', 'PAID'])
    .executeTakeFirst();
}

/** A new order, not yet created at the provider. */
export function insertOrder(
  caller: Caller,
  tx: Tx,
  cycle: { id: string; activation_id: string; price_paise: number },
  now: Date,
): Promise<OrderRow> {
  return tx
    .insertInto('payment_orders')
    .values({
      id: newId('ORD'),
      cycle_id: cycle.id,
      activation_id: cycle.activation_id,
      customer_id: caller.customerId,
      provider_order_id: null,
      amount_paise: cycle.price_paise,
      currency: 'INR',
      status: 'CREATING',
      claimed_until: null,
      next_check_at: null,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The number of orders created for an activation since a time. */
export async function countOrdersSince(tx: Tx, activationId: string, since: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('payment_orders')
    .select(countRows().as('count'))
    .where('activation_id', '=', activationId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Claims the right to create this order at the provider. Undefined while another request holds the claim; else whether an earlier request
 * may have created the order although its response was lost.
 */
export function claimOrder(db: Db, orderId: string, claimMs: number): Promise<{ triedBefore: boolean } | undefined> {
  return transaction(db, async (tx) => {
    const free = await tx
      .selectFrom('payment_orders')
      .select('claimed_until')
      .where('id', '=', orderId)
      .where('status', '=', 'CREATING')
      .where((where) => where.or([where('claimed_until', 'is', null), where('claimed_until', '<', databaseTime)]))
      .forUpdate()
      .executeTakeFirst();
    if (!free) return undefined;
    const until = later(databaseTime, claimMs);
    await tx.updateTable('payment_orders').set({ claimed_until: until }).where('id', '=', orderId).execute();
    return { triedBefore: free.claimed_until !== null };
  });
}

/** Releases the claim after a failure, so that the next attempt need not wait; that there was an attempt stays recorded. */
export async function releaseOrder(db: Db, orderId: string): Promise<void> {
  await db
    .updateTable('payment_orders')
    .set({ claimed_until: later(databaseTime, -1) })
    .where('id', '=', orderId)
    .where('status', '=', 'CREATING')
    .execute();
}

export async function updateOrderOpen(tx: Tx, orderId: string, providerOrderId: string): Promise<OrderRow | undefined> {
  return tx
    .updateTable('payment_orders')
    .set({ status: 'OPEN', provider_order_id: providerOrderId })
    .where('id', '=', orderId)
    .where('status', '=', 'CREATING')
    .returningAll()
    .executeTakeFirst();
}

export function selectOrder(db: Db | Tx, orderId: string): Promise<OrderRow | undefined> {
  return db.selectFrom('payment_orders').selectAll().where('id', '=', orderId).executeTakeFirst();
}

/** The caller's order, by the provider's id. */
export function selectOwnOrder(caller: Caller, db: Db, providerOrderId: string): Promise<OrderRow | undefined> {
  return db
    .selectFrom('payment_orders')
    .selectAll()
    .where('provider_order_id', '=', providerOrderId)
    .where('customer_id', '=', caller.customerId)
    .executeTakeFirst();
}

/** An order by the provider's id, of any customer: settling has no caller. */
export function selectProviderOrder(db: Db | Tx, providerOrderId: string): Promise<OrderRow | undefined> {
  return db
    .selectFrom('payment_orders')
    .selectAll()
    .where('provider_order_id', '=', providerOrderId)
    .executeTakeFirst();
}

export async function updateOrderPaid(tx: Tx, orderId: string): Promise<void> {
  await tx.updateTable('payment_orders').set({ status: 'PAID' }).where('id', '=', orderId).execute();
}

/** Closes the live orders of a cycle, or only one of them. */
export async function closeLiveOrders(tx: Tx, cycleId: string, orderId?: string): Promise<void> {
  let query = tx
    .updateTable('payment_orders')
    .set({ status: 'CLOSED' })
    .where('cycle_id', '=', cycleId)
    .where('status', 'in', ['CREATING', 'OPEN']);
  if (orderId !== undefined) query = query.where('id', '=', orderId);
  await query.execute();
}

/** Locks what a payment may change, always in this order: the activation, then its cycle. */
export async function lockForSettling(tx: Tx, order: OrderRow) {
  const activation = await tx
    .selectFrom('activations')
    .select(['id', 'deleted_at'])
    .where('id', '=', order.activation_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const cycle = await tx
    .selectFrom('cycles')
    .selectAll()
    .where('id', '=', order.cycle_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return { deleted: activation.deleted_at !== null, cycle };
}

export function selectPayment(db: Db | Tx, providerPaymentId: string): Promise<StoredPayment | undefined> {
  return db.selectFrom('payments').selectAll().where('provider_payment_id', '=', providerPaymentId).executeTakeFirst();
}

/** Stores the provider's data of a payment; the caller has checked that the state moves forward. */
export async function upsertPayment(
  tx: Tx,
  order: OrderRow,
  payment: Pick<
    ProviderPayment,
    'id' | 'amount' | 'currency' | 'method' | 'error_description' | 'fee' | 'tax' | 'created_at'
  >,
  status: StoredPayment['status'],
  use: StoredPayment['use'],
  now: Date,
): Promise<void> {
  const changing = {
    status,
    use,
    amount_paise: payment.amount,
    currency: payment.currency,
    method: payment.method ?? 'unknown',
    error_description: payment.error_description ?? null,
    captured_at: status === 'captured' ? now : null,
    fee_paise: status === 'captured' ? (payment.fee ?? null) : null,
    fee_tax_paise: status === 'captured' ? (payment.tax ?? null) : null,
  };
  await tx
    .insertInto('payments')
    .values({
      provider_payment_id: payment.id,
      order_id: order.id,
      cycle_id: order.cycle_id,
      customer_id: order.customer_id,
      created_at: new Date(payment.created_at * 1000),
      ...changing,
    })
    .onConflict((conflict) => conflict.column('provider_payment_id').doUpdateSet(changing))
    .execute();
}
