import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import type { Tx } from '#shared/database/connect.ts';
import { entryOfAnswer } from '#shared/domain/ledger.ts';
import { isUnpaid } from '#shared/domain/refund.ts';
import {
  announceUnpaid,
  openOf,
  selectBill,
  selectBillWithReturns,
  selectInvoiceOfBill,
} from '#server/features/credit/credit.ts';
import { endForCause, returnUnusedUnits } from '#server/features/cycles/cycles.ts';
import {
  bookForeignRefund,
  carryOutRefund,
  isOwn,
  type ForeignRefund,
  keyOfRow,
  paidOutOfRow,
  recordRefundState,
  refundExcessTax,
  selectRefund,
  selectRefundsOfPayment,
} from '#server/features/refunds/refunds.ts';
import { referenceTo } from '#server/features/documents/documents.ts';
import { happened } from '#server/features/events/events.ts';
import type { ProviderRefund } from '#server/razorpay/razorpay.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { lockForSettling, type OrderRow, selectOrder, selectPayment, type StoredPayment, updateUse } from './store.ts';
import { refundAll } from './use-money.ts';

type RefundRow = Awaited<ReturnType<typeof selectRefundsOfPayment>>[number];

/**
 * Compares the provider's refunds of a captured payment with those that are booked, and books the missing ones (product §6.6), such as
 * refunds made on its dashboard. Each is booked once, however often and in whatever order this is called.
 */
export async function bookRefundsOf(portal: Portal, paymentId: string): Promise<void> {
  const payment = await selectPayment(portal.db, paymentId);
  // The provider knows nothing of what came to the own bank account.
  if (payment?.status !== 'captured' || (await isOwn(portal.db, paymentId))) return;
  const listed = await portal.razorpay.listRefunds(paymentId);
  const known = await selectRefundsOfPayment(portal.db, paymentId);
  const isOurs = (refund: ProviderRefund): boolean => findOwn(known, refund).length > 0;
  const unbooked = listed.filter((refund) => isUnbooked(known, refund));
  // Ours first: only what of them is still to be paid can be paid by others.
  const inOrder = unbooked.toSorted((a, b) => Number(isOurs(b)) - Number(isOurs(a)) || a.created_at - b.created_at);
  for (const refund of inOrder) await bookRefund(portal, payment, refund);
}

/** The same, but only if the provider's sum of refunds differs from the booked sum. */
export async function bookIfDiffers(portal: Portal, paymentId: string, refundedPaise: number): Promise<void> {
  if (refundedPaise === 0) return;
  const known = await selectRefundsOfPayment(portal.db, paymentId);
  const withProvider = known
    .filter(({ status, provider_refund_id: id }) => status !== 'FAILED' && id !== null)
    .reduce((sum, refund) => sum + paidOutOfRow(refund), 0);
  if (withProvider !== refundedPaise) await bookRefundsOf(portal, paymentId);
}

/** Carries out a refund of the portal; money that was refunded elsewhere is booked before, and counts towards it. */
export async function workOnRefund(portal: Portal, refundId: string): Promise<void> {
  const refund = await selectRefund(portal.db, refundId);
  if (!refund || refund.status === 'PROCESSED') return;
  if (isUnpaid(refund)) await bookRefundsOf(portal, refund.payment_id);
  if ((await carryOutRefund(portal, refundId)) === 'unbooked') await bookRefundsOf(portal, refund.payment_id);
}

/** Books money that was refunded elsewhere, and ends the cycle once its whole price has been refunded (product §6.6). */
export async function bookForeign(
  portal: Portal,
  payment: StoredPayment,
  { cause, ...foreign }: ForeignRefund & { cause?: string | undefined },
  also?: {
    /** False when this is booked already; asked under the lock. */
    isWanted: (tx: Tx) => Promise<boolean>;
    /** `lossPaise`: how much exceeds what was captured. */
    store: (tx: Tx, lossPaise: number) => Promise<void>;
  },
): Promise<void> {
  const order = await orderOf(portal, payment);
  // A plan of which no money is left ends with its packs.
  if (payment.use === 'CYCLE')
    await returnUnusedUnits(portal.db, { customerId: payment.customer_id }, order.activation_id);
  await changeAccess(portal, async (change) => {
    const { tx } = change;
    const { cycles } = await lockForSettling(tx, order);
    if (also && !(await also.isWanted(tx))) return;
    const owner = { customerId: payment.customer_id };
    if (payment.use === 'DUE') change.announce(order.activation_id);
    const dueBefore = payment.use === 'DUE' ? (await selectBill(tx, payment.cycle_id))?.due_paise : undefined;
    const use = payment.use === 'CYCLE' ? 'CYCLE' : await endHold(portal, tx, order, payment);
    // The plan that the refund was made for, then the last period first: it is the least used (product §4.19).
    const periods =
      use === 'CYCLE'
        ? cycles
            .toSorted((a, b) => (a.from_date < b.from_date ? 1 : -1))
            .toSorted((a, b) => Number(b.id === foreign.cycleId) - Number(a.id === foreign.cycleId))
            .map((cycle) => ({ cycleId: cycle.id, paidPaise: cycle.ordered_paise }))
        : [{ cycleId: payment.cycle_id, paidPaise: payment.amount_paise }];
    const about = { id: payment.provider_payment_id, currency: payment.currency, use, periods };
    const meant = cycles.find(({ id, status }) => id === foreign.cycleId && status === 'PAID');
    // It is promised again, and paid by what was found.
    if (meant && cause === 'EXCESS_TAX') await refundExcessTax(portal, owner, tx, meant.id);
    const lostOrigin = cause === 'CORRECTION' || cause === 'TDS' ? cause : undefined;
    const { wholeIds, lossPaise } = await bookForeignRefund(portal, owner, tx, about, { ...foreign, lostOrigin });
    await also?.store(tx, lossPaise);
    if (use === 'DUE') await tellDueAgain(portal, owner, change, payment.cycle_id, dueBefore ?? 0);
    if (use !== 'CYCLE') return;
    for (const cycle of cycles) {
      if (wholeIds.has(cycle.id)) await endForCause(portal, owner, change, cycle, 'refunded');
      // Its end was lost with the database, and gave back what it does.
      else if (cycle === meant && cause === 'PORTAL') await endForCause(portal, owner, change, cycle, 'ended_before');
    }
  });
}

/** What had paid a bill is due again, and it may stop every plan that its customer has not paid for. */
async function tellDueAgain(
  portal: Portal,
  owner: Owner,
  change: AccessChange,
  cycleId: string,
  before: number,
): Promise<void> {
  const { tx } = change;
  const bill = await selectBillWithReturns(tx, cycleId);
  if (!bill || bill.due_paise <= before) return;
  await announceUnpaid(owner, change);
  const invoice = await selectInvoiceOfBill(tx, cycleId);
  const { returns } = bill;
  const document = { id: invoice.id, ...referenceTo(invoice) };
  await happened(portal, owner, tx, {
    type: 'bill.due',
    cycleId,
    notice: 'again',
    returns,
    ...openOf(bill),
    invoice: document,
  });
  const report = { is: 'due_again', duePaise: bill.due_paise, returns } as const;
  await happened(portal, owner, tx, { type: 'bill.reported', cycleId, report, invoice: document });
}

/** What goes back by itself is not held any more: all of it goes back. */
async function endHold(
  portal: Portal,
  tx: Tx,
  order: OrderRow,
  payment: StoredPayment,
): Promise<'CYCLE' | 'DUE' | 'REFUND'> {
  const { provider_payment_id: paymentId, amount_paise: amountPaise, currency } = payment;
  const { use } = (await selectPayment(tx, paymentId)) ?? payment;
  if (use !== 'HELD') return use ?? 'REFUND';
  await updateUse(tx, paymentId, 'REFUND');
  const money = { paymentId, amountPaise, currency };
  await refundAll(portal, tx, order, money, 'The payment provider gave it back', entryOfAnswer);
  return 'REFUND';
}

async function bookRefund(portal: Portal, payment: StoredPayment, refund: ProviderRefund): Promise<void> {
  const known = await selectRefundsOfPayment(portal.db, payment.provider_payment_id);
  const own = findOwn(known, refund);
  if (own.length > 0) {
    const order = await orderOf(portal, payment);
    await changeAccess(portal, async ({ tx }) => {
      await lockForSettling(tx, order);
      for (const row of own) await recordRefundState(portal, tx, row, refund);
    });
    return;
  }
  // Read again: a bank may have returned it since it was listed, and the portal have gone on to its next attempt.
  const { id, amount: amountPaise, status, notes } = await portal.razorpay.readRefund(refund.id);
  if (status === 'failed') return;
  const transferred = known.find((row) => row.utr !== null && keyOfRow(row) === refund.receipt);
  if (transferred)
    portal.log.error(
      { refundId: transferred.id, utr: transferred.utr, providerRefundId: id },
      'the provider pays a refund that was transferred by hand: the customer gets it twice',
    );
  // Another attempt of a refund that these books have pays nothing new, and so what else was promised.
  const meant = known.some((row) => isAttemptOf(row, refund)) ? {} : notes;
  await bookForeign(portal, payment, {
    origin: 'PROVIDER',
    id,
    cycleId: meant.cycle,
    cause: meant.cause,
    amountPaise,
    reason: 'Refunded at the payment provider',
    isPaid: status === 'processed',
  });
}

/** Was it requested for this refund, in whichever attempt? */
const isAttemptOf = ({ id }: RefundRow, { receipt }: ProviderRefund): boolean =>
  receipt === id || receipt?.startsWith(`${id}-`) === true;

/**
 * What is booked of a refund at the provider: the portal's own, found even when the response with its id was lost, or the shares of
 * one that was made elsewhere. One that was transferred by hand is paid: what the provider sends for it is other money.
 */
function findOwn(known: readonly RefundRow[], refund: ProviderRefund): RefundRow[] {
  return known.filter(
    (row) => row.provider_refund_id === refund.id || (keyOfRow(row) === refund.receipt && row.utr === null),
  );
}

/**
 * Is there something to book? A refund that failed at the provider moved nothing. One that the portal requested before other money paid for it
 * (elsewhere, or by a transfer) is not what the portal expects any more, but it moved, and so it is booked as any other.
 */
function isUnbooked(known: readonly RefundRow[], refund: ProviderRefund): boolean {
  const own = findOwn(known, refund);
  if (own.length > 0) {
    return own.some(({ status }) => status === 'STARTED' || (status === 'PENDING' && refund.status !== 'pending'));
  }
  return refund.status !== 'failed' && !known.some((row) => row.foreign_id === refund.id);
}

async function orderOf(portal: Portal, payment: StoredPayment): Promise<OrderRow> {
  const order = await selectOrder(portal.db, payment.order_id);
  if (!order) throw new Error(`payment ${payment.provider_payment_id} has no order`);
  return order;
}
