import { maxDebits } from '#shared/domain/mandate.ts';
import {
  checkMandate,
  type DebitRow,
  followDebit,
  type MandateRow,
  orderIdOfDebit,
  payerOf,
  selectDebit,
  selectFirstDay,
  updateDebit,
} from '#server/features/mandates/mandates.ts';
import { transaction } from '#shared/database/transaction.ts';
import { readStanding } from '#server/features/ownership/ownership.ts';
import { ProviderRefusal } from '#server/razorpay/razorpay.ts';
import type { Portal } from '#server/portal.ts';
import { openAtProvider } from './open-order.ts';
import { checkSoon } from './reconcile.ts';
import { settleFetched, settlePayment } from './settle.ts';
import { closeLiveOrders, type OrderRow, selectOrder } from './store.ts';

/**
 * Asks the provider for a debit (decision 074), once: a response that was lost is looked up by our receipt before another attempt. The token is
 * read first, so that nothing is asked for by a mandate that has ended in the UPI app. The result comes by webhook or the checks of the order. What a
 * database that was restored since has lost is found in the same way: a debit's receipt follows from what it pays for.
 */
export async function sendDebit(portal: Portal, orderId: string): Promise<void> {
  const [debit, order] = [await selectDebit(portal.db, orderId), await selectOrder(portal.db, orderId)];
  if (debit?.state !== 'ASKED' || !order) return;
  if (order.status === 'CLOSED' || order.status === 'PAID') return drop(portal, order);
  const open = order.status === 'CREATING' ? await openAtProvider(portal, order, true) : order;
  if (open.provider_order_id === null) return;
  const [made] = await portal.razorpay.listPayments(open.provider_order_id);
  if (made) {
    await checkSoon(portal.db, orderId, portal.machineClock());
    await settleFetched(portal, made);
    return;
  }
  if (await isAskedOtherwise(portal, debit)) return drop(portal, order);
  const mandate = await checkMandate(portal, debit.mandate_id);
  // What may have come since it was asked for.
  const { isDeleted, isBlocked } = await readStanding(portal.db, order.activation_id);
  const isAllowed = portal.settings.renewals && mandate?.state === 'IN_FORCE' && !isDeleted && !isBlocked;
  if (!isAllowed) return drop(portal, order);
  const paymentId = await ask(portal, open, mandate);
  if (paymentId === undefined) return;
  await checkSoon(portal.db, orderId, portal.machineClock());
  await settlePayment(portal, paymentId);
}

/** Has another attempt for the same days a payment that did not fail, of which this database may know nothing? */
async function isAskedOtherwise(portal: Portal, debit: DebitRow): Promise<boolean> {
  const firstDay = await selectFirstDay(portal.db, debit.cycle_id);
  for (let attempt = 1; attempt <= maxDebits; attempt += 1) {
    if (attempt === debit.attempt) continue;
    const order = await portal.razorpay.findOrder(orderIdOfDebit(debit.mandate_id, firstDay, attempt));
    const payments = order ? await portal.razorpay.listPayments(order.id) : [];
    const made = payments.find(({ status }) => status !== 'failed');
    if (!made) continue;
    await settleFetched(portal, made);
    return true;
  }
  return false;
}

async function ask(portal: Portal, order: OrderRow, mandate: MandateRow): Promise<string | undefined> {
  const { provider_customer_id: customerId, token_id: tokenId, plan_name: planName } = mandate;
  const { provider_order_id: orderId, amount_paise: amountPaise } = order;
  if (customerId === null || tokenId === null || orderId === null) return undefined;
  const { email, contact } = await payerOf(portal, order.customer_id);
  try {
    const debit = { email, contact, amountPaise, orderId, customerId, tokenId };
    return await portal.razorpay.createDebit({ ...debit, description: `${planName} plan` });
  } catch (error) {
    if (!(error instanceof ProviderRefusal) || error.status === 401) throw error;
    // A refusal is the result: nothing was asked for.
    portal.log.warn({ err: error, orderId: order.id }, 'the provider refuses a debit');
    await transaction(portal.db, async (tx) => {
      await followDebit(portal, tx, order, { paymentId: null, is: 'failed', reason: error.description });
      await closeLiveOrders(tx, [order.cycle_id], order.id);
    });
    return undefined;
  }
}

/** It was never sent. The subscription stays unpaid, and can be paid or removed like any other. */
async function drop(portal: Portal, order: OrderRow): Promise<void> {
  await transaction(portal.db, async (tx) => {
    await updateDebit(tx, order.id, { state: 'DROPPED' }, new Date(portal.clock()));
    await closeLiveOrders(tx, [order.cycle_id], order.id);
  });
}
