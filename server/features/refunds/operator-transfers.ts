import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { isPromise } from '#shared/domain/pay-later.ts';
import { openOf, type RefundEvent, returnsOf } from '#shared/domain/refund.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { otherMoneyOf } from '#server/features/bank-transfers/bank-transfers.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { moveRefund, refundFault } from './refund-writer.ts';
import { isDisputed, lockRefund, selectRefund } from './store.ts';

/** Refunds that the operator pays by bank transfer, as the payment provider can't (product §6.33). */

type Refund = Awaited<ReturnType<typeof lockRefund>>;

/** A transfer from the provider's bank account to a customer's. */
export interface Transfer {
  utr: string;
  on: Day;
}

/** What is left to pay of a refund, in paise. */
export const openOfRow = ({ amount_paise: amountPaise, covered_paise: coveredPaise }: Refund): number =>
  openOf({ amountPaise, coveredPaise });

async function findRefund(context: OperatorContext, sought: string): Promise<Refund> {
  const refund = await selectRefund(context.db, sought.trim());
  if (!refund)
    throw new OperatorRefusal(`There is no refund ${sought}. List them with: octroi refunds list`, 'not_found');
  return refund;
}

const disputed = ({ payment_id: paymentId }: Refund): OperatorRefusal =>
  new OperatorRefusal(
    `The customer’s bank disputes ${isPromise(paymentId) ? `a payment of the bill ${paymentId}` : paymentId}: transfer nothing before the dispute is decided. A lost one pays this refund.`,
  );

/** Throws unless a refund waits for this transfer, which then happens to it. */
async function requireTransferable(
  context: OperatorContext,
  tx: Tx,
  refund: Refund,
  transfer: Transfer,
): Promise<RefundEvent> {
  const { id, utr } = refund;
  const event = { type: 'transferred', ...transfer, isDisputed: await isDisputed(tx, refund.payment_id) } as const;
  const fault = await refundFault(tx, refund, event);
  if (fault === 'PAID')
    throw new OperatorRefusal(
      `${id} is paid already${utr === null ? '' : `, by transfer ${utr}`}.`,
      'nothing_to_change',
    );
  if (fault === 'DISPUTED') throw disputed(refund);
  if (fault !== undefined)
    throw new OperatorRefusal(
      `Razorpay is to pay ${id}: a transfer would pay it twice. If Razorpay refuses it or a bank returns it, turn it into a transfer first: octroi refunds by-transfer ${id}`,
    );
  const [first, today] = [dayOf(refund.created_at.getTime()), dayOf(context.clock())];
  if (transfer.on < first || transfer.on > today)
    throw new OperatorRefusal(
      `The day of the transfer is between ${first}, when the refund was started, and today.`,
      'invalid_request',
    );
  const other = await otherMoneyOf(tx, transfer.utr, { id, refundsOf: refund.customer_id });
  if (other !== undefined)
    throw new OperatorRefusal(
      `${transfer.utr} is the number of ${other}, and a number is of one transfer: take that of the transfer which left your bank account.`,
    );
  return event;
}

/** The refund that a transfer would complete. */
export async function previewTransfer(context: OperatorContext, sought: string, transfer: Transfer): Promise<Refund> {
  const refund = await findRefund(context, sought);
  await transaction(context.db, (tx) => requireTransferable(context, tx, refund, transfer));
  return refund;
}

/** Records the transfer of a refund: it is complete, with its mail, its ledger entry and the audit log, in one transaction. */
export async function recordTransfer(
  context: OperatorContext,
  sought: string,
  transfer: Transfer,
  cause: OperatorCause,
): Promise<Refund> {
  const { id } = await findRefund(context, sought);
  return transaction(context.db, async (tx) => {
    const refund = await lockRefund(tx, id);
    const event = await requireTransferable(context, tx, refund, transfer);
    const { utr, on } = transfer;
    const effect = { utr, transferredOn: on, amountPaise: openOfRow(refund), paymentId: refund.payment_id };
    await recordAction(tx, {
      ...cause,
      action: 'refunds.transfer',
      target: id,
      customerId: refund.customer_id,
      effect,
    });
    await moveRefund(context, tx, refund, event);
    return refund;
  });
}

/** Throws unless the provider refuses a refund, or a bank returned it, and it may become a transfer. */
async function requireTurnable(db: Db | Tx, refund: Refund): Promise<RefundEvent> {
  const { id, payout, status } = refund;
  const event = { type: 'turned', isDisputed: await isDisputed(db, refund.payment_id) } as const;
  const fault = await refundFault(db, refund, event);
  if (fault === undefined) return event;
  if (fault === 'DISPUTED') throw disputed(refund);
  if (payout === 'TRANSFER') throw new OperatorRefusal(`${id} is paid by bank transfer already.`, 'nothing_to_change');
  throw new OperatorRefusal(
    `Razorpay has not refused ${id}, and no bank has just returned it: it is ${status.toLowerCase()}, and a transfer might pay it twice.`,
  );
}

/** A refund that the provider refuses or a bank returned, before an operator turns it into a transfer. */
export async function previewTurn(context: OperatorContext, sought: string): Promise<Refund> {
  const refund = await findRefund(context, sought);
  await requireTurnable(context.db, refund);
  return refund;
}

/** Turns a refund that the provider refuses or a bank returned into a bank transfer: Razorpay is not asked any more, and the customer is told. */
export async function turnRefund(context: OperatorContext, sought: string, cause: OperatorCause): Promise<Refund> {
  const { id } = await findRefund(context, sought);
  return transaction(context.db, async (tx) => {
    const refund = await lockRefund(tx, id);
    const event = await requireTurnable(tx, refund);
    const effect = {
      amountPaise: openOfRow(refund),
      paymentId: refund.payment_id,
      refusal: refund.refusal,
      returns: returnsOf(refund),
    };
    await recordAction(tx, { ...cause, action: 'refunds.turn', target: id, customerId: refund.customer_id, effect });
    await moveRefund(context, tx, refund, event);
    return refund;
  });
}
