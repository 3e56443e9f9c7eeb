import { setTimeout as sleep } from 'node:timers/promises';
import type { PaymentFile } from '#shared/contract/operator/payments.ts';
import type { Db } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import { transaction } from '#shared/database/transaction.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { rupees } from '#shared/domain/money.ts';
import { wakeAccount } from '#server/features/bank-transfers/bank-transfers.ts';
import { wakeRefunds } from '#server/features/refunds/refunds.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** The order, with everything of it, by the id of a payment, an order, a plan, a refund, or a document number. */
export async function readPaymentFile(db: Db, sought: string): Promise<PaymentFile> {
  const order = await findOrder(db, sought.trim());
  const { provider_order_id: providerOrderId } = order;
  const [cycles, payments] = await Promise.all([
    db
      .selectFrom('order_cycles as covered')
      .innerJoin('cycles as cycle', 'cycle.id', 'covered.cycle_id')
      .select(['cycle.id', 'cycle.plan', 'covered.amount_paise as amountPaise', 'cycle.status'])
      .select(['cycle.from_date as fromDate', 'cycle.to_date as toDate'])
      .where('covered.order_id', '=', order.id)
      .orderBy('covered.place')
      .execute(),
    db
      .selectFrom('payments')
      .select(['provider_payment_id as id', 'currency', 'amount_paise as amountPaise', 'status', 'use', 'method'])
      .select(['error_description as fault', 'created_at as createdAt', 'captured_at as capturedAt'])
      .where('order_id', '=', order.id)
      .orderBy('created_at')
      .execute(),
  ]);
  const paymentIds = payments.map(({ id }) => id);
  const about = [...paymentIds, providerOrderId ?? ''];
  // Refunds of what is paid later are of the promise, and those at the provider, as disputes, of what paid its bill: both are shown with either.
  const ofBill = await db
    .selectFrom('payment_money')
    .select(['payment_id', 'money_id'])
    .where('payment_id', 'in', about)
    .unionAll(db.selectFrom('payment_money').select(['payment_id', 'money_id']).where('money_id', 'in', about))
    .execute();
  const moved = [...about, ...ofBill.flatMap(({ payment_id: promise, money_id: money }) => [promise, money])];
  const [documents, refunds, disputes, settlements, webhooks, unsettled] = await Promise.all([
    db
      .selectFrom('documents')
      .select(['id', 'number', 'kind', 'issued_on as issuedOn', 'total_paise as totalPaise'])
      .where('payment_id', 'in', about)
      .orderBy('issued_at')
      .orderBy('number')
      .execute(),
    db
      .selectFrom('refunds')
      .select(['id', 'payment_id as paymentId', 'cycle_id as cycleId', 'amount_paise as amountPaise', 'status'])
      .select(['origin', 'reason', 'provider_refund_id as providerRefundId', 'tries', 'loss_paise as lossPaise'])
      .select(['payout', 'utr', 'refusal', 'covers_paise as coversPaise', 'covered_paise as coveredPaise'])
      .select(['withheld_paise as withheldPaise', 'offset_paise as offsetPaise'])
      .where('payment_id', 'in', moved)
      .orderBy('created_at')
      .execute(),
    db
      .selectFrom('disputes')
      .select(['provider_dispute_id as id', 'payment_id as paymentId', 'amount_paise as amountPaise', 'status'])
      .select('respond_by as respondBy')
      .where('payment_id', 'in', moved)
      .execute(),
    db
      .selectFrom('settlement_items as item')
      .leftJoin('settlements as settlement', 'settlement.settlement_id', 'item.settlement_id')
      .select(['item.settlement_id as id', 'item.type', 'item.currency', 'item.amount_paise as amountPaise'])
      .select(['item.fee_paise as feePaise', 'settlement.utr'])
      .where('item.payment_id', 'in', about)
      .orderBy('item.id')
      .execute(),
    db
      .selectFrom('webhook_inbox')
      .select(['event', 'received_at as receivedAt', 'processed_at as processedAt', 'tries', 'fault'])
      .where(ofPayments(about))
      .orderBy('received_at')
      .execute(),
    db
      .selectFrom('unsettled_payments')
      .select(['payment_id as paymentId', 'since', 'tries', 'fault'])
      .where('order_id', '=', order.id)
      .execute(),
  ]);
  const currencies = new Map(payments.map(({ id, currency }) => [id, currency]));
  const ofPayment = (paymentId: string) => ({ currency: currencies.get(paymentId) ?? order.currency });
  return {
    order: {
      id: order.id,
      providerOrderId,
      customerId: order.customer_id,
      activationId: order.activation_id,
      amount: rupees(order.amount_paise),
      status: order.status,
      createdAt: order.created_at.toISOString(),
      nextCheckAt: timeOf(order.next_check_at),
    },
    cycles: cycles.map(({ plan, ...cycle }) => ({ ...inRupees(cycle), planName: plan.name })),
    payments: payments.map(({ createdAt, capturedAt, ...payment }) => ({
      ...inRupees(payment),
      createdAt: createdAt.toISOString(),
      capturedAt: timeOf(capturedAt),
    })),
    documents: documents.map(({ totalPaise, ...document }) => ({ ...document, total: rupees(totalPaise) })),
    refunds: refunds.map(({ lossPaise, coversPaise, coveredPaise, withheldPaise, offsetPaise, ...refund }) => ({
      ...inRupees(refund),
      ...ofPayment(refund.paymentId),
      loss: rupees(lossPaise),
      covers: rupees(coversPaise),
      covered: rupees(coveredPaise),
      withheld: rupees(withheldPaise),
      offset: rupees(offsetPaise),
    })),
    disputes: disputes.map(({ respondBy, ...dispute }) => ({
      ...inRupees(dispute),
      ...ofPayment(dispute.paymentId),
      respondBy: timeOf(respondBy),
    })),
    settlements: settlements.map(({ feePaise, ...item }) => ({ ...inRupees(item), fee: rupees(feePaise) })),
    webhooks: webhooks.map(({ receivedAt, processedAt, ...delivery }) => ({
      ...delivery,
      receivedAt: receivedAt.toISOString(),
      processedAt: timeOf(processedAt),
    })),
    unsettled: unsettled.map(({ since, ...payment }) => ({ ...payment, since: since.toISOString() })),
  };
}

const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null;

const inRupees = <Row extends { amountPaise: number }>({ amountPaise, ...row }: Row) => ({
  ...row,
  amount: rupees(amountPaise),
});

/** Deliveries about some payments or orders, which are kept for a while. */
const ofPayments = (ids: readonly string[]) =>
  condition`(body #>> '{payload,payment,entity,id}' = any(${ids}) or body #>> '{payload,refund,entity,payment_id}' = any(${ids})
    or body #>> '{payload,order,entity,id}' = any(${ids}))`;

/** Throws OperatorRefusal when no order is known by an id. */
export async function findOrder(db: Db, text: string) {
  const order = await db
    .selectFrom('payment_orders as order')
    .selectAll()
    // A query for each index, since no index serves an “or” over several tables.
    .where(
      condition`"order".id in (
        select o.id from payment_orders o where o.id = ${text} or o.provider_order_id = ${text}
        union all select p.order_id from payments p where p.provider_payment_id = ${text}
        union all select c.order_id from order_cycles c where c.cycle_id = ${text}
        union all select p.order_id from refunds r join payments p on p.provider_payment_id = r.payment_id
          where r.id = ${text} or r.provider_refund_id = ${text}
        union all select p.order_id from documents d join payments p on p.provider_payment_id = d.payment_id where d.number = ${text})`,
    )
    // The one that was paid; else the newest.
    .orderBy((by) => by.case().when('order.status', '=', 'PAID').then(0).else(1).end())
    .orderBy('order.created_at', 'desc')
    .executeTakeFirst();
  if (!order)
    throw new OperatorRefusal(
      `No order is known as ${text}. Give the id of a payment, order, plan or refund, or a document number.`,
      'not_found',
    );
  return order;
}

/** Longer than a running portal needs to see it, and to hear from the provider. */
const takenUpWithinMs = 20_000;
const finishedAfterMs = 3_000;

/** An order about which the provider can be asked. */
export async function readAskable(db: Db, sought: string): Promise<PaymentFile> {
  const file = await readPaymentFile(db, sought);
  if (file.order.providerOrderId === null)
    throw new OperatorRefusal(`${file.order.id} was never created at Razorpay: there is nothing to ask.`);
  return file;
}

/**
 * Has the running portal ask the provider about an order now, as it does by itself for five days, and about the customer's account number: payments
 * that were missed are settled, refunds and disputes made there are booked, and refunds and deliveries that wait are tried again.
 */
export async function recheckPayment(db: Db, sought: string, cause: OperatorCause): Promise<PaymentFile> {
  const before = await readAskable(db, sought);
  const { id, providerOrderId, customerId } = before.order;
  const paymentIds = before.payments.map((payment) => payment.id);
  const at = new Date();
  await transaction(db, async (tx) => {
    // Whoever transferred money named no order.
    await wakeAccount(tx, customerId, at);
    await tx.updateTable('payment_orders').set({ checks: 0, next_check_at: at }).where('id', '=', id).execute();
    for (const paymentId of paymentIds) await wakeRefunds(tx, paymentId, at);
    await tx
      .updateTable('webhook_inbox')
      .set({ next_try_at: at, tries: 0 })
      .where('processed_at', 'is', null)
      .where(ofPayments([...paymentIds, providerOrderId ?? '']))
      .execute();
    const effect = { providerOrderId, payments: paymentIds };
    await recordAction(tx, { ...cause, action: 'payments.recheck', target: id, customerId, effect });
  });
  if (!(await awaitPortal(db, before.order, at)))
    throw new OperatorRefusal(
      `The running portal did not take it up within 20 seconds. Is it running? It will, once it is.`,
    );
  await sleep(finishedAfterMs);
  return readPaymentFile(db, sought);
}

async function awaitPortal(db: Db, { id, customerId }: PaymentFile['order'], at: Date): Promise<boolean> {
  const order = db.selectFrom('payment_orders').select('id').where('id', '=', id).where('next_check_at', '=', at);
  const account = db
    .selectFrom('virtual_accounts')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('next_check_at', '=', at);
  const deadline = performance.now() + takenUpWithinMs;
  while (performance.now() < deadline) {
    if ((await order.unionAll(account).execute()).length === 0) return true;
    await sleep(200);
  }
  return false;
}
