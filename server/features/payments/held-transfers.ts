import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { HeldTransfer, transferCalls } from '#shared/contract/operator/transfers.ts';
import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { entryOfAnswer } from '#shared/domain/ledger.ts';
import { toPaise } from '#shared/domain/money.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { returnUnitsBeforeSwitch } from '#server/features/cycles/cycles.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import type { Handlers, OperatorContext } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { listHeld } from './list-held.ts';
import { previewRecording, recordReceived } from './record-received.ts';
import { effectOf } from './held-proved.ts';
import { payBill, whyUnusableForBill } from './pay-bill.ts';
import { lockForSettling, selectOrder, selectPayment, updateUse } from './store.ts';
import { payCycles, refundAll, requireNoDebit, sumOfWithheld, whyUnusable } from './use-money.ts';
import { withheldOfOrder } from './withheld.ts';

/** Bank transfers that are held until an operator says whether they pay (decision 075). */

async function findHeld(db: Db | Tx, paymentId: string): Promise<HeldTransfer> {
  const [held] = await listHeld(db, paymentId);
  if (held) return held;
  const payment = await selectPayment(db, paymentId);
  throw payment
    ? new OperatorRefusal(`${paymentId} is not held. See: octroi payments show ${paymentId}`, 'nothing_to_change')
    : new OperatorRefusal(
        `There is no payment ${paymentId}. List the held ones with: octroi transfers list`,
        'not_found',
      );
}

/** A held transfer with what it would pay for. Throws OperatorRefusal where it can't pay any more. */
async function findPayable(context: OperatorContext, tx: Tx, held: HeldTransfer) {
  const order = await selectOrder(tx, held.orderId);
  if (!order) throw new Error(`payment ${held.paymentId} has no order`);
  const locked = await lockForSettling(tx, order);
  const money = {
    paymentId: held.paymentId,
    amountPaise: toPaise(held.amount),
    currency: order.currency,
    isGone: false,
    utr: held.utr,
    withheldPaise: held.percent === null ? [] : await withheldOfOrder(context, tx, order, locked.cycles, held.percent),
  };
  // The GSTIN or the rate of tax has changed since.
  const isOther = sumOfWithheld(money) !== toPaise(held.tds);
  const why = order.of_bill
    ? await whyUnusableForBill(tx, order, money)
    : await whyUnusable(context, tx, order, locked, money);
  const reason = isOther ? 'What may be deducted has changed' : why;
  if (reason !== undefined)
    throw new OperatorRefusal(
      `It can’t pay any more: ${reason}. Give it back with: octroi transfers refund ${held.paymentId}`,
    );
  if (!order.of_bill) await requireNoDebit(context, tx, order, locked.cycles);
  return { order, locked, money };
}

/** Answers about a held transfer, under the activation's lock. */
function answer(
  context: OperatorContext,
  paymentId: string,
  work: (change: AccessChange, held: HeldTransfer) => Promise<void>,
) {
  return changeAccess(context, async (change) => {
    const { orderId, customerId } = await findHeld(change.tx, paymentId);
    const order = await selectOrder(change.tx, orderId);
    if (order) await lockActivation({ customerId }, change.tx, order.activation_id, true);
    const held = await findHeld(change.tx, paymentId);
    await work(change, held);
    return held;
  });
}

async function settle(
  context: OperatorContext,
  paymentId: string,
  cause: OperatorCause,
): Promise<OperatorReply<'settleTransfer'>> {
  const { customerId, orderId } = await findHeld(context.db, paymentId);
  const order = await selectOrder(context.db, orderId);
  if (order)
    await returnUnitsBeforeSwitch(
      context.db,
      { customerId },
      { activationId: order.activation_id, cycleId: order.cycle_id },
    );
  const { result, effectiveBy } = await answer(context, paymentId, async (change, held) => {
    const { tx } = change;
    const found = await findPayable(context, tx, held);
    const { order, locked, money } = found;
    await updateUse(tx, paymentId, order.of_bill ? 'DUE' : 'CYCLE');
    if (order.of_bill) await payBill(context, change, order, money, entryOfAnswer);
    else await payCycles(context, change, order, locked.cycles, money, entryOfAnswer);
    const entry = { action: 'transfers.settle', target: paymentId, customerId: held.customerId } as const;
    await recordAction(tx, { ...cause, ...entry, effect: effectOf(held), paise: toPaise(held.tds) });
  });
  return { ...result, effectiveBy };
}

/** Why it goes back, for the customer: it is less than is due, or the same money as what was recorded, as far as we know. */
const reasonOf = ({ amount, due }: HeldTransfer): string =>
  amount === due ? 'A transfer with this number was recorded before' : 'The amount differs from the order';

async function giveBack(context: OperatorContext, paymentId: string, cause: OperatorCause): Promise<HeldTransfer> {
  const { result } = await answer(context, paymentId, async ({ tx }, held) => {
    const order = await selectOrder(tx, held.orderId);
    if (!order) throw new Error(`payment ${paymentId} has no order`);
    const amountPaise = toPaise(held.amount);
    await updateUse(tx, paymentId, 'REFUND');
    const money = { paymentId, amountPaise, currency: order.currency };
    await refundAll(context, tx, order, money, reasonOf(held), entryOfAnswer);
    const entry = { action: 'transfers.refund', target: paymentId, customerId: held.customerId } as const;
    await recordAction(tx, { ...cause, ...entry, effect: effectOf(held), paise: amountPaise });
  });
  return result;
}

export const transferHandlers: Handlers<typeof transferCalls> = {
  listHeldTransfers: { read: ({ db }) => listHeld(db) },
  settleTransfer: {
    preview: async (context, { paymentId }) => {
      const held = await findHeld(context.db, paymentId);
      await context.db.transaction().execute((tx) => findPayable(context, tx, held));
      return { ...held, effectiveBy: null };
    },
    perform: (context, { paymentId }, cause) => settle(context, paymentId, cause),
  },
  recordReceivedTransfer: {
    preview: (context, input) => previewRecording(context, input),
    perform: (context, input, cause) => recordReceived(context, input, cause),
  },
  refundTransfer: {
    preview: ({ db }, { paymentId }) => findHeld(db, paymentId),
    perform: (context, { paymentId }, cause) => giveBack(context, paymentId, cause),
  },
};
