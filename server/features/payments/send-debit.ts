import type { Tx } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { isDebitTooLate, maxDebits } from '#shared/domain/mandate.ts';
import { rechargeSentWithinMs } from '#shared/domain/recharge.ts';
import {
  checkMandate,
  type DebitRow,
  followDebit,
  type MandateRow,
  orderIdOfDebit,
  payerOf,
  selectDebit,
  selectDebitable,
  tellRechargeGivenUp,
  updateDropped,
  updateSending,
  updateUnsent,
  withholdAfter,
} from '#server/features/mandates/mandates.ts';
import { transaction } from '#shared/database/transaction.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import { ProviderRefusal } from '#server/razorpay/razorpay.ts';
import type { Portal } from '#server/portal.ts';
import { openAtProvider } from './open-order.ts';
import { checkSoon } from './reconcile.ts';
import { settleFetched, settlePayment } from './settle.ts';
import { closeLiveOrders, type OrderRow, selectOrder } from './store.ts';

/**
 * Asks the provider for a debit (decision 074), once and before its period begins: a response that was lost is looked up by our receipt before another
 * attempt. The token is read first, so that nothing is asked for by a mandate that has ended in the UPI app. The result comes by webhook or the checks of the order. What a
 * database that was restored since has lost is found in the same way: a debit's receipt follows from what it pays for.
 */
export async function sendDebit(portal: Portal, orderId: string): Promise<void> {
  const [debit, order] = [await selectDebit(portal.db, orderId), await selectOrder(portal.db, orderId)];
  if (debit?.state !== 'ASKED' || !order) return;
  const isOver = order.status === 'CLOSED' || order.status === 'PAID';
  // Never sent, and replaced or too late by now: whether or not the provider can be asked.
  const hasBegun = debit.first_day !== null && dayOf(portal.clock()) >= debit.first_day;
  if (debit.sent_at === null && (isOver || hasBegun)) return drop(portal, order, debit);
  const isLate = isTooLate(debit, portal.clock());
  if (debit.sent_at === null && isLate) return giveUp(portal, order, debit);
  const open = order.status === 'CREATING' ? await openAtProvider(portal, order, true) : order;
  if (open.provider_order_id === null) return;
  // Also of an order that was closed since: the response to the sending may have been lost.
  const [made] = await portal.razorpay.listPayments(open.provider_order_id);
  if (made) {
    await checkSoon(portal.db, orderId, portal.machineClock());
    await settleFetched(portal, made);
    return;
  }
  if (isOver) return drop(portal, order, debit);
  if (debit.sent_at !== null) return isLate ? giveUp(portal, order, debit) : free(portal, order, debit);
  if (await isAskedOtherwise(portal, debit)) return drop(portal, order, debit);
  await checkMandate(portal, debit.mandate_id);
  const mandate = await transaction(portal.db, (tx) => startSending(portal, tx, open, debit));
  if (!mandate) return;
  const paymentId = await ask(portal, open, mandate, debit.first_day === null ? 'Recharge of the ' : '');
  if (paymentId === undefined) return;
  await checkSoon(portal.db, orderId, portal.machineClock());
  await settlePayment(portal, paymentId);
}

/** The bank could not answer in time. */
const isTooLate = ({ first_day: firstDay, asked_at: at }: DebitRow, nowMs: number): boolean =>
  firstDay === null ? nowMs >= at.getTime() + rechargeSentWithinMs : isDebitTooLate(firstDay, nowMs);

/**
 * The mandate, if it may still be sent after what has come since it was asked for, and nobody sends it; from then on nobody else can pay. What may not be
 * sent any more is dropped.
 */
async function startSending(portal: Portal, tx: Tx, order: OrderRow, debit: DebitRow): Promise<MandateRow | undefined> {
  const mandate = await selectLocked(portal, tx, debit);
  const isOpen = (await selectOrder(tx, debit.order_id))?.status === 'OPEN';
  const now = portal.clock();
  if (mandate && isOpen && !isTooLate(debit, now))
    return (await updateSending(tx, debit, new Date(now), portal.machineClock())) ? mandate : undefined;
  await dropIn(portal, tx, order, debit);
  return undefined;
}

async function selectLocked(portal: Portal, tx: Tx, debit: DebitRow): Promise<MandateRow | undefined> {
  const { customer_id: customerId, activation_id: activationId } = debit;
  return (await lockActivation({ customerId }, tx, activationId)) && selectDebitable(portal, tx, debit);
}

/** Has another attempt for the same days a payment that did not fail, of which this database may know nothing? */
async function isAskedOtherwise(portal: Portal, debit: DebitRow): Promise<boolean> {
  if (debit.first_day === null) return false;
  for (let attempt = 1; attempt <= maxDebits; attempt += 1) {
    if (attempt === debit.attempt) continue;
    const order = await portal.razorpay.findOrder(orderIdOfDebit(debit.mandate_id, debit.first_day, attempt));
    const payments = order ? await portal.razorpay.listPayments(order.id) : [];
    const made = payments.find(({ status }) => status !== 'failed');
    if (!made) continue;
    await settleFetched(portal, made);
    return true;
  }
  return false;
}

async function ask(portal: Portal, order: OrderRow, mandate: MandateRow, what: string): Promise<string | undefined> {
  const { provider_customer_id: customerId, token_id: tokenId, plan_name: planName } = mandate;
  const { provider_order_id: orderId, amount_paise: amountPaise } = order;
  if (customerId === null || tokenId === null || orderId === null) return undefined;
  const { email, contact } = await payerOf(portal, order.customer_id);
  try {
    const debit = { email, contact, amountPaise, orderId, customerId, tokenId };
    return await portal.razorpay.createDebit({ ...debit, description: `${what}${planName} plan` });
  } catch (error) {
    if (!(error instanceof ProviderRefusal)) throw error;
    // A payment that the order has by now was asked for by another attempt, and is why.
    const [made] = await portal.razorpay.listPayments(orderId);
    if (made) return made.id;
    // A refusal is the result: nothing was asked for.
    portal.log.warn({ err: error, orderId: order.id }, 'the provider refuses a debit');
    await transaction(portal.db, async (tx) => {
      await followDebit(portal, tx, order, { paymentId: null, is: 'failed', reason: error.description });
      await closeLiveOrders(tx, [order.cycle_id], order.id);
    });
    return undefined;
  }
}

/** Nothing came of an attempt: until the next one, the customer can pay. */
async function free(portal: Portal, order: OrderRow, debit: DebitRow): Promise<void> {
  const canBeSent = await transaction(portal.db, async (tx) => {
    const mandate = await selectLocked(portal, tx, debit);
    if (mandate) await updateUnsent(tx, debit);
    return mandate !== undefined;
  });
  if (!canBeSent) await drop(portal, order, debit);
}

/** What was announced is not debited for these days, which the customer is told in time to pay for them. */
async function giveUp(portal: Portal, order: OrderRow, debit: DebitRow): Promise<void> {
  const { customer_id: customerId } = debit;
  await transaction(portal.db, async (tx) => {
    const mandate = await selectLocked(portal, tx, debit);
    const isDropped = await dropIn(portal, tx, order, debit);
    if (debit.first_day === null) return;
    // Behind days that the provider gave it is announced anew.
    const { from_date: toDate } = await tx
      .selectFrom('cycles')
      .select('from_date')
      .where('id', '=', debit.cycle_id)
      .executeTakeFirstOrThrow();
    if (!isDropped || mandate?.announced_for !== toDate) return;
    const now = new Date(portal.clock());
    await withholdAfter(portal, { customerId }, tx, mandate, { toDate, reason: 'not_in_time', now });
  });
}

/** It was never sent, as far as the provider knows: should the bank pay it after all, it moves on from here. The subscription stays unpaid, and can be paid or removed like any other. */
async function drop(portal: Portal, order: OrderRow, debit: DebitRow): Promise<void> {
  const { customer_id: customerId, activation_id: activationId } = debit;
  await transaction(portal.db, async (tx) => {
    await lockActivation({ customerId }, tx, activationId);
    await dropIn(portal, tx, order, debit);
  });
}

async function dropIn(portal: Portal, tx: Tx, order: OrderRow, debit: DebitRow): Promise<boolean> {
  const isDropped = await updateDropped(tx, debit, new Date(portal.clock()));
  if (!isDropped) return false;
  await closeLiveOrders(tx, [order.cycle_id], order.id);
  // Whatever the reason: there is no time for another one.
  if (debit.first_day === null) await tellRechargeGivenUp(portal, tx, debit, { is: 'never_sent' });
  return true;
}
