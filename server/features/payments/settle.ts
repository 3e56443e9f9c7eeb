import { awaitAccessChange } from '#database/access.ts';
import type { Tx } from '#database/connect.ts';
import { transaction } from '#database/transaction.ts';
import { markCyclePaid } from '#server/features/cycles/cycles.ts';
import { issueInvoice } from '#server/features/invoices/invoices.ts';
import { startRefund } from '#server/features/refunds/refunds.ts';
import type { ProviderPayment } from '#server/platform/razorpay/razorpay.ts';
import type { Portal } from '#server/portal.ts';
import {
  lockForSettling,
  type OrderRow,
  selectPayment,
  selectProviderOrder,
  type StoredPayment,
  updateOrderPaid,
  upsertPayment,
} from './store.ts';

/** What a payment has come to. `unknown`: it is for no order of ours. */
export type Settled = 'paid' | 'refunded' | 'pending' | 'failed' | 'unknown';

/**
 * The one place where a payment takes effect (D12). Browser return, webhook and reconciler all call it, in any order and as
 * often as they like. It asks the provider for the payment, never trusting who told of it, and in one transaction makes a
 * captured payment end as exactly one paid cycle or exactly one refund.
 */
export async function settlePayment(portal: Portal, providerPaymentId: string): Promise<Settled> {
  const known = await selectPayment(portal.db, providerPaymentId);
  if (known?.status === 'captured') return known.use === 'CYCLE' ? 'paid' : 'refunded';
  const payment = await portal.razorpay.readPayment(providerPaymentId);
  return settleFetched(portal, payment);
}

/** The same, for a payment that was just fetched from the provider. */
export async function settleFetched(portal: Portal, payment: ProviderPayment): Promise<Settled> {
  const order = payment.order_id ? await selectProviderOrder(portal.db, payment.order_id) : undefined;
  if (!order) return 'unknown';
  const settled = await transaction(portal.db, (tx) => settleLocked(portal, tx, order, payment));
  if (settled === 'paid') await awaitAccessChange(portal.db);
  return settled;
}

async function settleLocked(portal: Portal, tx: Tx, order: OrderRow, payment: ProviderPayment): Promise<Settled> {
  const { deleted, cycle } = await lockForSettling(tx, order);
  const known = await selectPayment(tx, payment.id);
  // Forward only: whatever arrives after the capture changes nothing.
  if (known?.status === 'captured') return known.use === 'CYCLE' ? 'paid' : 'refunded';
  const now = new Date(portal.clock());
  const status = statusOf(payment);
  if (status !== 'captured') {
    await upsertPayment(tx, order, payment, status, null, now);
    return status === 'failed' ? 'failed' : 'pending';
  }
  const caller = { customerId: order.customer_id };
  const obstacle = obstacleOf(order, payment, cycle.status, deleted);
  await upsertPayment(tx, order, payment, 'captured', obstacle === undefined ? 'CYCLE' : 'REFUND', now);
  if (obstacle !== undefined) {
    portal.log.warn({ paymentId: payment.id, orderId: order.id, obstacle }, 'a captured payment is refunded');
    await startRefund(portal, caller, tx, {
      paymentId: payment.id,
      cycleId: cycle.id,
      amountPaise: payment.amount,
      reason: obstacle,
    });
    return 'refunded';
  }
  const dates = await markCyclePaid(portal, caller, tx, cycle);
  await updateOrderPaid(tx, order.id);
  await issueInvoice(portal, caller, tx, {
    id: cycle.id,
    activationId: cycle.activation_id,
    serviceId: cycle.service_id,
    plan: cycle.plan,
    totalPaise: cycle.price_paise,
    dates,
    paymentId: payment.id,
  });
  return 'paid';
}

/** Why a captured payment cannot pay for its cycle, or undefined when it can (D10, D12). Money is never kept for nothing. */
function obstacleOf(
  order: OrderRow,
  payment: ProviderPayment,
  cycleStatus: string,
  deleted: boolean,
): string | undefined {
  if (payment.amount !== order.amount_paise || payment.currency !== order.currency)
    return 'The amount differs from the order';
  if (payment.status === 'refunded') return 'The payment provider gave it back';
  if (deleted) return 'The activation was deleted';
  if (cycleStatus === 'PAID') return 'The subscription was paid already';
  if (cycleStatus !== 'PAYMENT_PENDING') return 'The subscription was removed';
  return undefined;
}

function statusOf(payment: ProviderPayment): StoredPayment['status'] {
  // A payment that the provider has refunded by itself was captured before; the money is on its way back.
  if (payment.status === 'captured' || payment.status === 'refunded') return 'captured';
  if (payment.status === 'failed' || payment.status === 'authorized') return payment.status;
  return 'created';
}
