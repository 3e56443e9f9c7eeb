import type { Selectable } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import { countRows } from '#shared/database/expressions.ts';
import type { Tables } from '#shared/database/tables.ts';
import type { OrderedName, PurchaseOrder } from '#shared/domain/purchase-order.ts';
import { newId } from '#server/crypto/ids.ts';
import { canPayItsOrder } from '#server/features/bank-transfers/bank-transfers.ts';
import type { ProviderPayment } from '#server/razorpay/razorpay.ts';
import type { Owner } from '#server/portal.ts';

export type OrderRow = Selectable<Tables['payment_orders']>;
export type StoredPayment = Selectable<Tables['payments']>;

/** The live orders of some cycles, each with the cycles that it covers; a cycle has at most one. */
export async function findLiveOrders(
  tx: Tx,
  cycleIds: readonly string[],
): Promise<{ order: OrderRow; cycleIds: string[] }[]> {
  const orders = await tx
    .selectFrom('payment_orders')
    .selectAll()
    .where('id', 'in', (live) =>
      live.selectFrom('order_cycles').select('order_id').where('live', '=', true).where('cycle_id', 'in', cycleIds),
    )
    .execute();
  return Promise.all(
    orders.map(async (order) => ({
      order,
      cycleIds: (await selectOrderCycles(tx, order.id)).map((each) => each.cycle_id),
    })),
  );
}

/** Does money that can pay for one of these cycles wait for an operator's answer (decision 075)? Another amount than the order's never can. */
export const isHeld = async (tx: Tx, cycleIds: readonly string[]): Promise<boolean> =>
  (await selectHeldCycles(tx).where('order_cycles.cycle_id', 'in', cycleIds).limit(1).execute()).length > 0;

/** The cycles for which such money waits. */
export const selectHeldCycles = (db: Db | Tx) =>
  db
    .selectFrom('payments')
    .innerJoin('order_cycles', 'order_cycles.order_id', 'payments.order_id')
    .innerJoin('payment_orders', 'payment_orders.id', 'payments.order_id')
    .innerJoin('bank_transfers', 'bank_transfers.payment_id', 'payments.provider_payment_id')
    .select('order_cycles.cycle_id')
    .where(canPayItsOrder)
    .where('payments.use', '=', 'HELD');

/** The cycles that an order covers, in the order in which they were ordered. */
export function selectOrderCycles(db: Db | Tx, orderId: string) {
  return db.selectFrom('order_cycles').selectAll().where('order_id', '=', orderId).orderBy('place').execute();
}

/** A new order for one or several cycles, not yet created at the provider. It names the purchase order of the one `before` it. */
export async function insertOrder(
  owner: Owner,
  tx: Tx,
  cycles: readonly [OrderedCycle, ...OrderedCycle[]],
  now: Date,
  {
    before,
    byCustomer = true,
    id = newId('ORD'),
    isOfBill = false,
  }: { before?: OrderRow | undefined; byCustomer?: boolean; id?: string; isOfBill?: boolean } = {},
): Promise<OrderRow> {
  const [first, ...others] = cycles;
  const order = await tx
    .insertInto('payment_orders')
    .values({
      id,
      cycle_id: first.id,
      activation_id: first.activation_id,
      customer_id: owner.customerId,
      provider_order_id: null,
      amount_paise: cycles.reduce((sum, cycle) => sum + cycle.price_paise, 0),
      currency: 'INR',
      status: 'CREATING',
      claimed_until: null,
      next_check_at: null,
      created_at: now,
      of_bill: isOfBill,
      purchase_order: before?.purchase_order ?? null,
      purchase_order_date: before?.purchase_order_date ?? null,
      customer_asked_at: byCustomer ? now : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (others.length === 0) return order;
  // The database adds the first one.
  const rows = others.map((cycle, index) => ({
    order_id: order.id,
    cycle_id: cycle.id,
    activation_id: cycle.activation_id,
    customer_id: owner.customerId,
    place: index + 2,
    amount_paise: cycle.price_paise,
    live: true,
    of_bill: isOfBill,
  }));
  await tx.insertInto('order_cycles').values(rows).execute();
  return order;
}

/** The cycles that an order covers, as they are now, in the order in which they were ordered. */
export function selectCyclesOf(db: Db | Tx, orderId: string) {
  return db
    .selectFrom('cycles')
    .innerJoin('order_cycles', 'order_cycles.cycle_id', 'cycles.id')
    .select(['cycles.id', 'cycles.plan', 'cycles.service_id', 'cycles.from_date', 'cycles.to_date'])
    .where('order_cycles.order_id', '=', orderId)
    .orderBy('order_cycles.place')
    .execute();
}

/** Names a purchase order on a live order, or none on purpose. */
export async function nameOnOrder(tx: Tx, orderId: string, purchaseOrder: PurchaseOrder | null): Promise<void> {
  await tx
    .updateTable('payment_orders')
    .set({ purchase_order: purchaseOrder?.number ?? '', purchase_order_date: purchaseOrder?.date ?? null })
    .where('id', '=', orderId)
    .execute();
}

/** What an order names now. */
export function selectNamed(tx: Tx, orderId: string): Promise<OrderedName> {
  return tx
    .selectFrom('payment_orders')
    .select(['purchase_order as number', 'purchase_order_date as date'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow();
}

interface OrderedCycle {
  id: string;
  activation_id: string;
  price_paise: number;
}

/** The customer has asked for it, too, or again. */
export async function updateAsked(tx: Tx, orderId: string, now: Date): Promise<void> {
  await tx
    .updateTable('payment_orders')
    .set({ customer_asked_at: now })
    .where('id', '=', orderId)
    // Clocks of several servers differ.
    .where((order) => order.or([order('customer_asked_at', 'is', null), order('customer_asked_at', '<', now)]))
    .execute();
}

/** The number of orders created for an activation since a time: its customer’s own, or those of holders of pay links. */
export async function countOrdersSince(tx: Tx, activationId: string, since: Date, own: boolean): Promise<number> {
  const { count } = await tx
    .selectFrom('payment_orders')
    .select(countRows().as('count'))
    .where('activation_id', '=', activationId)
    .where('created_at', '>', since)
    .where('customer_asked_at', own ? 'is not' : 'is', null)
    .executeTakeFirstOrThrow();
  return count;
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

/** The owner's order, by the provider's id. */
export function selectOwnOrder(owner: Owner, db: Db, providerOrderId: string): Promise<OrderRow | undefined> {
  return db
    .selectFrom('payment_orders')
    .selectAll()
    .where('provider_order_id', '=', providerOrderId)
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirst();
}

/** An order by the provider's id, of any customer: settling knows no owner. */
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

/** Closes the live orders of some cycles, or only one of them. An order for several cycles is closed as a whole. */
export async function closeLiveOrders(tx: Tx, cycleIds: readonly string[], orderId?: string): Promise<void> {
  let query = tx
    .updateTable('payment_orders')
    .set({ status: 'CLOSED' })
    .where('id', 'in', (of) => of.selectFrom('order_cycles').select('order_id').where('cycle_id', 'in', cycleIds))
    .where('status', 'in', ['CREATING', 'OPEN']);
  if (orderId !== undefined) query = query.where('id', '=', orderId);
  await query.execute();
}

/** Locks what a payment may change, always in this order: the activation, then its cycles. What only refers to them, such as a ledger entry, doesn't wait. */
export async function lockForSettling(tx: Tx, order: OrderRow) {
  const activation = await tx
    .selectFrom('activations')
    .select(['id', 'deleted_at'])
    .where('id', '=', order.activation_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  const cycles = await tx
    .selectFrom('cycles')
    .innerJoin('order_cycles', 'order_cycles.cycle_id', 'cycles.id')
    .selectAll('cycles')
    .select(['order_cycles.place', 'order_cycles.amount_paise as ordered_paise'])
    .where('order_cycles.order_id', '=', order.id)
    .orderBy('order_cycles.place')
    .forNoKeyUpdate('cycles')
    .execute();
  return { deleted: activation.deleted_at !== null, cycles };
}

/** The number of an activation's orders paid since a time. */
export async function countPaidSince(tx: Tx, activationId: string, since: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('payments')
    .innerJoin('payment_orders', 'payment_orders.id', 'payments.order_id')
    .select(countRows().as('count'))
    .where('payment_orders.activation_id', '=', activationId)
    .where('payments.use', '=', 'CYCLE')
    .where('payments.captured_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Has the operator blocked the customer? Stays so until the end of the transaction. */
export async function isBlocked(tx: Tx, customerId: string): Promise<boolean> {
  const { blocked_at: at } = await tx
    .selectFrom('customers')
    .select('blocked_at')
    .where('id', '=', customerId)
    .forKeyShare()
    .executeTakeFirstOrThrow();
  return at !== null;
}

/** An operator has said what held money is for. Requires the activation's lock. */
export async function updateUse(tx: Tx, paymentId: string, use: 'CYCLE' | 'DUE' | 'REFUND'): Promise<void> {
  await tx.updateTable('payments').set({ use }).where('provider_payment_id', '=', paymentId).execute();
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
