import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import type { Tx } from '#shared/database/connect.ts';
import { entryOfCapture } from '#shared/domain/ledger.ts';
import { tdsPercentOf } from '#shared/domain/tds.ts';
import { movesForward, paymentStatusOf, tooManyPaid } from '#shared/domain/payment.ts';
import { returnUnitsBeforeSwitch } from '#server/features/cycles/cycles.ts';
import { orderIdOfTransfer, recordedAs, selectTransfer } from '#server/features/bank-transfers/bank-transfers.ts';
import { followDebit, lapseAsked, noteToken } from '#server/features/mandates/mandates.ts';
import { happened } from '#server/features/events/events.ts';
import { postEntry } from '#server/features/ledger/ledger.ts';
import type { ProviderPayment } from '#server/razorpay/razorpay.ts';
import type { Portal } from '#server/portal.ts';
import { bookIfDiffers } from './money-back.ts';
import { payBill, whyUnusableForBill } from './pay-bill.ts';
import {
  closeLiveOrders,
  lockForSettling,
  type OrderRow,
  selectOrder,
  selectPayment,
  selectProviderOrder,
  type StoredPayment,
  upsertPayment,
} from './store.ts';
import { deleteUnsettled, recordUnsettled } from './unsettled.ts';
import { payCycles, refundAll, whyUnusable } from './use-money.ts';
import { deductionsOf, withheldOfOrder } from './withheld.ts';

/** The state that a payment has reached. `held`: an operator is asked whether it pays. `unknown`: no order of ours. */
export type Settled = 'paid' | 'held' | 'refunded' | 'pending' | 'failed' | 'unknown';

/**
 * The only place where a payment takes effect (product §6.3). Browser return, webhook and reconciler all call it, in any order and any
 * number of times. It reads the payment from the provider, trusting no caller, and in one transaction turns a captured
 * payment into paid cycles, mostly one, or exactly one refund; a bank transfer may be held until an operator says which.
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
  if (settled === 'paid' || settled === 'held' || settled === 'refunded')
    await bookIfDiffers(portal, payment.id, payment.amount_refunded ?? 0);
  return { settled, effectiveBy };
}

/** Whoever transfers money names no order: which one is meant is decided once. */
async function orderOf(portal: Portal, payment: ProviderPayment): Promise<OrderRow | undefined> {
  if (payment.order_id) return selectProviderOrder(portal.db, payment.order_id);
  const orderId = await orderIdOfTransfer(portal, payment, async (tx, id) => {
    const order = await selectOrder(tx, id);
    return order ? deductionsOf(portal, tx, order) : [];
  });
  return orderId === undefined ? undefined : selectOrder(portal.db, orderId);
}

/** The final state of a payment; undefined while it can still change. */
export function finalStateOf(known: StoredPayment): Settled | undefined {
  if (known.status !== 'captured') return undefined;
  return ({ CYCLE: 'paid', DUE: 'paid', HELD: 'held', REFUND: 'refunded' } as const)[known.use ?? 'REFUND'];
}

async function settleLocked(
  portal: Portal,
  change: AccessChange,
  order: OrderRow,
  payment: ProviderPayment,
): Promise<Settled> {
  const { tx } = change;
  const locked = await lockForSettling(tx, order);
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
  const transfer = await selectTransfer(tx, payment.id);
  const percent = tdsPercentOf(transfer?.tds_percent);
  const money = {
    paymentId: payment.id,
    amountPaise: payment.amount,
    currency: payment.currency,
    isGone: payment.status === 'refunded' || (payment.amount_refunded ?? 0) >= payment.amount,
    utr: transfer?.utr,
    withheldPaise: percent === undefined ? [] : await withheldOfOrder(portal, tx, order, locked.cycles, percent),
  };
  const reason = order.of_bill
    ? await whyUnusableForBill(tx, order, money)
    : await whyUnusable(portal, tx, order, locked, money);
  // An operator is asked (decision 075) where its number is recorded as that of other money, and where it is less than is due by what may be tax, and
  // nobody has said that it is.
  const recorded = transfer && !money.isGone ? await recordedAs(tx, transfer.utr) : undefined;
  const mayBeTax = reason === undefined && percent !== undefined && transfer?.tds_tan === null;
  const isHeld = transfer !== undefined && (recorded !== undefined || mayBeTax);
  const use = isHeld ? 'HELD' : reason !== undefined ? 'REFUND' : order.of_bill ? 'DUE' : 'CYCLE';
  // The consent comes with a payment that is kept; the token of any other is cancelled.
  if (use === 'REFUND') await lapseAsked(tx, { order_id: order.id }, now);
  if (payment.token_id) await noteToken(portal, tx, order, payment.token_id, use === 'CYCLE');
  await upsertPayment(tx, order, payment, 'captured', use, now);
  const captured = { paymentId: payment.id, cycleId: order.cycle_id, amountPaise: payment.amount };
  await happened(portal, owner, tx, { type: 'payment.captured', ...captured, currency: payment.currency, use });
  if (isHeld) {
    const ofPayment = {
      paymentId: payment.id,
      cycleId: order.cycle_id,
      customerId: order.customer_id,
      currency: money.currency,
    };
    await postEntry(tx, entryOfCapture(ofPayment, { use: 'HELD', paise: payment.amount }), now);
    const { utr } = transfer;
    const tdsPaise = recorded === undefined ? transfer.tds_paise : 0;
    await happened(portal, owner, tx, { type: 'transfer.held', ...captured, tdsPaise, utr });
    const about = { paymentId: payment.id, orderId: order.id, tdsPaise, recorded };
    portal.log.warn(about, 'a bank transfer is held for an operator');
    return 'held';
  }
  if (reason !== undefined) {
    const alarm = reason === tooManyPaid ? 'error' : 'warn';
    portal.log[alarm]({ paymentId: payment.id, orderId: order.id, reason }, 'a captured payment is refunded');
    await refundAll(portal, tx, order, money, reason, entryOfCapture);
    // The provider accepts no further payment on a paid order: the next attempt gets a new one. A transfer is not paid on the order.
    const cycleIds = locked.cycles.map((cycle) => cycle.id);
    if (payment.order_id) await closeLiveOrders(tx, cycleIds, order.id);
    await followDebit(portal, tx, order, { paymentId: payment.id, is: 'refunded', reason });
    return 'refunded';
  }
  if (order.of_bill) {
    await payBill(portal, change, order, money, entryOfCapture);
    return 'paid';
  }
  await payCycles(portal, change, order, locked.cycles, money, entryOfCapture);
  await followDebit(portal, tx, order, { paymentId: payment.id, is: 'paid' });
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
  const about = order.of_bill ? ({ isOfBill: true } as const) : {};
  await happened(portal, owner, tx, isDebit ? { ...failed, isDebit } : { ...failed, ...about });
}
