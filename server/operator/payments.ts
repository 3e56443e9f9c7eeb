import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '#database/connect.ts';
import { condition } from '#database/expressions.ts';
import { transaction } from '#database/transaction.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import type { RefundPayout } from '#domain/refund-payout.ts';
import { wakeRefunds } from '#server/features/refunds/refunds.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** Everything that is known of an order and its payments. */
export interface PaymentFile {
  order: {
    id: string;
    providerOrderId: string | null;
    customerId: string;
    activationId: string;
    amountPaise: number;
    status: string;
    createdAt: Date;
    nextCheckAt: Date | null;
  };
  cycles: { id: string; planName: string; amountPaise: number; status: string; fromDate: string; toDate: string }[];
  payments: {
    id: string;
    amountPaise: number;
    status: string;
    /** What the money was taken for: the plans, or to be refunded. */
    use: string | null;
    method: string;
    fault: string | null;
    createdAt: Date;
    capturedAt: Date | null;
  }[];
  documents: { id: string; number: string; kind: string; issuedOn: string; totalPaise: number }[];
  refunds: {
    id: string;
    paymentId: string;
    cycleId: string;
    amountPaise: number;
    status: string;
    origin: string;
    reason: string;
    providerRefundId: string | null;
    /** What the customer got twice by it. */
    lossPaise: number;
    tries: number;
    payout: RefundPayout;
    utr: string | null;
    refusal: string | null;
  }[];
  disputes: { id: string; paymentId: string; amountPaise: number; status: string; respondBy: Date | null }[];
  settlements: { id: string | null; type: string; amountPaise: number; feePaise: number; utr: string | null }[];
  webhooks: { event: string; receivedAt: Date; processedAt: Date | null; tries: number; fault: string | null }[];
  /** Captured at the provider and not settled here, with the error that prevents it. */
  unsettled: { paymentId: string; since: Date; tries: number; fault: string }[];
}

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
      .select(['provider_payment_id as id', 'amount_paise as amountPaise', 'status', 'use', 'method'])
      .select(['error_description as fault', 'created_at as createdAt', 'captured_at as capturedAt'])
      .where('order_id', '=', order.id)
      .orderBy('created_at')
      .execute(),
  ]);
  const paymentIds = payments.map(({ id }) => id);
  const about = [...paymentIds, providerOrderId ?? ''];
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
      .select(['payout', 'utr', 'refusal'])
      .where('payment_id', 'in', about)
      .orderBy('created_at')
      .execute(),
    db
      .selectFrom('disputes')
      .select(['provider_dispute_id as id', 'payment_id as paymentId', 'amount_paise as amountPaise', 'status'])
      .select('respond_by as respondBy')
      .where('payment_id', 'in', about)
      .execute(),
    db
      .selectFrom('settlement_items as item')
      .leftJoin('settlements as settlement', 'settlement.settlement_id', 'item.settlement_id')
      .select(['item.settlement_id as id', 'item.type', 'item.amount_paise as amountPaise'])
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
  return {
    order: {
      id: order.id,
      providerOrderId,
      customerId: order.customer_id,
      activationId: order.activation_id,
      amountPaise: order.amount_paise,
      status: order.status,
      createdAt: order.created_at,
      nextCheckAt: order.next_check_at,
    },
    cycles: cycles.map(({ plan, ...cycle }) => ({ ...cycle, planName: plan.name })),
    payments,
    documents,
    refunds,
    disputes,
    settlements,
    webhooks,
    unsettled,
  };
}

/** Deliveries about some payments or orders, which are kept for a while. */
const ofPayments = (ids: readonly string[]) =>
  condition`(body #>> '{payload,payment,entity,id}' = any(${ids}) or body #>> '{payload,refund,entity,payment_id}' = any(${ids})
    or body #>> '{payload,order,entity,id}' = any(${ids}))`;

async function findOrder(db: Db, text: string) {
  const order = await db
    .selectFrom('payment_orders as order')
    .selectAll()
    .where((where) =>
      where.or([
        where('order.id', '=', text),
        where('order.provider_order_id', '=', text),
        where('order.id', 'in', (of) =>
          of.selectFrom('payments').select('order_id').where('provider_payment_id', '=', text),
        ),
        where('order.id', 'in', (of) => of.selectFrom('order_cycles').select('order_id').where('cycle_id', '=', text)),
        where('order.id', 'in', (of) =>
          of
            .selectFrom('payments')
            .innerJoin('refunds', 'refunds.payment_id', 'payments.provider_payment_id')
            .select('payments.order_id')
            .where((refund) =>
              refund.or([refund('refunds.id', '=', text), refund('refunds.provider_refund_id', '=', text)]),
            ),
        ),
        where('order.id', 'in', (of) =>
          of
            .selectFrom('payments')
            .innerJoin('documents', 'documents.payment_id', 'payments.provider_payment_id')
            .select('payments.order_id')
            .where('documents.number', '=', text),
        ),
      ]),
    )
    // The one that was paid; else the newest.
    .orderBy((by) => by.case().when('order.status', '=', 'PAID').then(0).else(1).end())
    .orderBy('order.created_at', 'desc')
    .executeTakeFirst();
  if (!order)
    throw new OperatorRefusal(
      `No order is known as ${text}. Give the id of a payment, order, plan or refund, or a document number.`,
    );
  return order;
}

export interface Rechecked {
  before: PaymentFile;
  after: PaymentFile;
  /** False when no running portal took it up in time. */
  isTakenUp: boolean;
}

/** Longer than a running portal needs to see it, and to hear from the provider. */
const takenUpWithinMs = 20_000;
const finishedAfterMs = 3_000;

/**
 * Has the running portal ask the provider about an order now, as it does by itself for five days: payments that were missed are settled, refunds
 * and disputes made there are booked, and refunds and deliveries that wait are tried again.
 */
export async function recheckPayment(
  context: OperatorContext,
  sought: string,
  cause: OperatorCause,
): Promise<Rechecked> {
  const { db } = context;
  const before = await readPaymentFile(db, sought);
  const { id, providerOrderId, customerId } = before.order;
  if (providerOrderId === null)
    throw new OperatorRefusal(`${id} was never created at Razorpay: there is nothing to ask.`);
  const at = new Date();
  await transaction(db, async (tx) => {
    await tx.updateTable('payment_orders').set({ checks: 0, next_check_at: at }).where('id', '=', id).execute();
    for (const payment of before.payments) await wakeRefunds(tx, payment.id, at);
    const about = [...before.payments.map((payment) => payment.id), providerOrderId];
    await tx
      .updateTable('webhook_inbox')
      .set({ next_try_at: at, tries: 0 })
      .where('processed_at', 'is', null)
      .where(ofPayments(about))
      .execute();
    const effect = { providerOrderId, payments: before.payments.map((payment) => payment.id) };
    await recordAction(tx, { ...cause, action: 'payments.recheck', target: id, customerId, effect });
  });
  const isTakenUp = await awaitPortal(db, id, at);
  if (isTakenUp) await sleep(finishedAfterMs);
  return { before, after: await readPaymentFile(db, sought), isTakenUp };
}

async function awaitPortal(db: Db, orderId: string, at: Date): Promise<boolean> {
  const deadline = performance.now() + takenUpWithinMs;
  while (performance.now() < deadline) {
    const { next_check_at: next } = await db
      .selectFrom('payment_orders')
      .select('next_check_at')
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow();
    if (next?.getTime() !== at.getTime()) return true;
    await sleep(200);
  }
  return false;
}
