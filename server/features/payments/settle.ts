import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import type { Tx } from '#shared/database/connect.ts';
import { entryOfCapture } from '#shared/domain/ledger.ts';
import { movesForward, paymentStatusOf, tooManyPaid, whyRefunded } from '#shared/domain/payment.ts';
import {
  isPackLate,
  isSwitchBlocked,
  markCyclePaid,
  priceDue,
  returnUnitsBeforeSwitch,
} from '#server/features/cycles/cycles.ts';
import { orderIdOfTransfer, utrOf } from '#server/features/bank-transfers/bank-transfers.ts';
import { documentPayment, type PaidCycle } from '#server/features/documents/documents.ts';
import { followDebit, lapseAsked, noteToken, whyDebitIsVoid } from '#server/features/mandates/mandates.ts';
import { happened } from '#server/features/events/events.ts';
import { postEntry } from '#server/features/ledger/ledger.ts';
import { startRefund } from '#server/features/refunds/refunds.ts';
import type { ProviderPayment } from '#server/razorpay/razorpay.ts';
import type { Portal } from '#server/portal.ts';
import { bookIfDiffers } from './money-back.ts';
import {
  closeLiveOrders,
  countPaidSince,
  isBlocked,
  lockForSettling,
  type OrderRow,
  selectNamed,
  selectOrder,
  selectPayment,
  selectProviderOrder,
  type StoredPayment,
  updateOrderPaid,
  upsertPayment,
} from './store.ts';
import { deleteUnsettled, recordUnsettled } from './unsettled.ts';

/** The state that a payment has reached. `unknown`: no order of ours. */
export type Settled = 'paid' | 'refunded' | 'pending' | 'failed' | 'unknown';

/**
 * The only place where a payment takes effect (product §6.3). Browser return, webhook and reconciler all call it, in any order and any
 * number of times. It reads the payment from the provider, trusting no caller, and in one transaction turns a captured
 * payment into paid cycles, mostly one, or exactly one refund.
 */
export async function settlePayment(portal: Portal, providerPaymentId: string): Promise<Settled> {
  const known = await selectPayment(portal.db, providerPaymentId);
  const final = known && finalStateOf(known);
  return final ?? settleFetched(portal, await portal.razorpay.readPayment(providerPaymentId));
}

/** The same, for a payment that was just read from the provider. */
export async function settleFetched(portal: Portal, payment: ProviderPayment): Promise<Settled> {
  return (await settleInEffect(portal, payment)).settled;
}

/** The same, with the time by which its change of access takes effect (product §5.3). */
export async function settleInEffect(
  portal: Portal,
  payment: ProviderPayment,
): Promise<{ settled: Settled; effectiveBy: string | null }> {
  const order = await orderOf(portal, payment);
  if (!order) return { settled: 'unknown', effectiveBy: null };
  let settled: Settled;
  let effectiveBy: string | null;
  try {
    // Before the lock: gateways need the database for it.
    if (paymentStatusOf(payment.status) === 'captured') {
      const { activation_id: activationId, cycle_id: cycleId } = order;
      await returnUnitsBeforeSwitch(portal.db, { customerId: order.customer_id }, { activationId, cycleId });
    }
    const changed = await changeAccess(portal, (change) => settleLocked(portal, change, order, payment));
    ({ result: settled, effectiveBy } = changed);
  } catch (error) {
    if (paymentStatusOf(payment.status) === 'captured') {
      await recordUnsettled(portal, order, payment, error).catch((unnoted: unknown) =>
        portal.log.error({ err: unnoted, paymentId: payment.id }, 'an unsettled payment could not be recorded'),
      );
    }
    throw error;
  }
  if (settled === 'paid' || settled === 'refunded')
    await bookIfDiffers(portal, payment.id, payment.amount_refunded ?? 0);
  return { settled, effectiveBy };
}

/** Whoever transfers money names no order: which one is meant is decided once. */
async function orderOf(portal: Portal, payment: ProviderPayment): Promise<OrderRow | undefined> {
  if (payment.order_id) return selectProviderOrder(portal.db, payment.order_id);
  const orderId = await orderIdOfTransfer(portal, payment);
  return orderId === undefined ? undefined : selectOrder(portal.db, orderId);
}

/** The final state of a payment; undefined while it can still change. */
export function finalStateOf(known: StoredPayment): Settled | undefined {
  if (known.status !== 'captured') return undefined;
  return known.use === 'CYCLE' ? 'paid' : 'refunded';
}

async function settleLocked(
  portal: Portal,
  change: AccessChange,
  order: OrderRow,
  payment: ProviderPayment,
): Promise<Settled> {
  const { tx } = change;
  const { deleted, cycles } = await lockForSettling(tx, order);
  const known = await selectPayment(tx, payment.id);
  // A captured payment is final.
  const final = known && finalStateOf(known);
  if (final) return final;
  const now = new Date(portal.clock());
  const status = paymentStatusOf(payment.status);
  if (status !== 'captured') {
    // What was read from the provider may be older than what another process stored meanwhile.
    if (!known || movesForward(known.status, status)) await upsertPayment(tx, order, payment, status, null, now);
    const reached = known && !movesForward(known.status, status) ? known.status : status;
    if (reached === 'failed') await publishFailure(portal, tx, order, payment);
    else await followDebit(portal, tx, order, { paymentId: payment.id, is: 'pending' });
    return reached === 'failed' ? 'failed' : 'pending';
  }
  await deleteUnsettled(tx, payment.id);
  const owner = { customerId: order.customer_id };
  // A switch and a pack are paid alone (switches_are_paid_alone).
  const [first] = cycles;
  const reason = whyRefunded({
    orderPaise: order.amount_paise,
    orderCurrency: order.currency,
    paidPaise: payment.amount,
    paidCurrency: payment.currency,
    isGone: payment.status === 'refunded' || (payment.amount_refunded ?? 0) >= payment.amount,
    cycles: await Promise.all(
      cycles.map(async (cycle) => ({
        status: cycle.status,
        orderedPaise: cycle.ordered_paise,
        duePaise: cycle.status === 'PAYMENT_PENDING' ? await priceDue(portal, owner, tx, cycle) : cycle.price_paise,
        pricePaise: cycle.price_paise,
      })),
    ),
    isActivationDeleted: deleted,
    isBlocked: await isBlocked(tx, order.customer_id),
    debitIsVoid: await whyDebitIsVoid(tx, order.id),
    isSwitchBlocked: first !== undefined && (await isSwitchBlocked(portal, owner, tx, first)),
    isPackLate: first !== undefined && (await isPackLate(portal, owner, tx, first)),
    paidInLastHour: await countPaidSince(tx, order.activation_id, new Date(now.getTime() - 3_600_000)),
  });
  const cycleIds = cycles.map((cycle) => cycle.id);
  const use = reason === undefined ? 'CYCLE' : 'REFUND';
  // The consent comes with a payment that is kept; the token of any other is cancelled.
  if (use === 'REFUND') await lapseAsked(tx, { order_id: order.id }, now);
  if (payment.token_id) await noteToken(tx, order.id, payment.token_id, new Date(portal.machineClock()));
  const about = {
    paymentId: payment.id,
    cycleId: order.cycle_id,
    customerId: order.customer_id,
    currency: payment.currency,
  };
  await upsertPayment(tx, order, payment, 'captured', use, now);
  const captured = { paymentId: payment.id, cycleId: order.cycle_id, amountPaise: payment.amount };
  await happened(portal, owner, tx, { type: 'payment.captured', ...captured, currency: payment.currency, use });
  if (reason !== undefined) {
    await postEntry(tx, entryOfCapture(about, use, payment.amount), now);
    const alarm = reason === tooManyPaid ? 'error' : 'warn';
    portal.log[alarm]({ paymentId: payment.id, orderId: order.id, reason }, 'a captured payment is refunded');
    const due = { ...about, amountPaise: payment.amount, reason, from: 'REFUND' } as const;
    await startRefund(portal, owner, tx, { ...due, origin: 'PORTAL', ofReplaced: false });
    // The provider accepts no further payment on a paid order: the next attempt gets a new one. A transfer is not paid on the order.
    if (payment.order_id) await closeLiveOrders(tx, cycleIds, order.id);
    await followDebit(portal, tx, order, { paymentId: payment.id, is: 'refunded', reason });
    return 'refunded';
  }
  for (const { id: cycleId, ordered_paise: paise, place } of cycles) {
    await postEntry(tx, entryOfCapture({ ...about, cycleId }, use, paise, place), now);
  }
  await closeLiveOrders(tx, cycleIds);
  // All get their days first: a later period must not take the days of an earlier one, and documents follow the days.
  const utr = await utrOf(tx, payment.id);
  const paid: PaidCycle[] = [];
  for (const cycle of cycles) {
    const dates = await markCyclePaid(portal, owner, change, cycle);
    const { id, activation_id: activationId, service_id: serviceId, plan, price_paise: totalPaise } = cycle;
    const isPack = cycle.adds_to !== null;
    paid.push({ id, activationId, serviceId, plan, isPack, totalPaise, dates, paymentId: payment.id, utr });
  }
  await updateOrderPaid(tx, order.id);
  await followDebit(portal, tx, order, { paymentId: payment.id, is: 'paid' });
  await documentPayment(portal, owner, tx, paid, await selectNamed(tx, order.id));
  return 'paid';
}

async function publishFailure(portal: Portal, tx: Tx, order: OrderRow, payment: ProviderPayment): Promise<void> {
  const owner = { customerId: order.customer_id };
  const { id: paymentId, amount: amountPaise, error_description: reason = null } = payment;
  const cycleId = order.cycle_id;
  const isSkipped = payment.error_reason === 'payment_cancelled';
  const isDebit = await followDebit(portal, tx, order, { paymentId, is: 'failed', reason, isSkipped });
  // The customer can pay at once, with an order of their own.
  if (isDebit) await closeLiveOrders(tx, [cycleId], order.id);
  const failed = { type: 'payment.failed', cycleId, paymentId, amountPaise, reason } as const;
  await happened(portal, owner, tx, isDebit ? { ...failed, isDebit } : failed);
}
