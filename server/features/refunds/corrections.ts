import type { Tx } from '#shared/database/connect.ts';
import type { CancelReason } from '#shared/domain/e-invoice.ts';
import type { OperatorCause } from '#server/audit-log/audit-log.ts';
import {
  type Cancellation,
  cancelEInvoice as cancelAndReplace,
  type Correction,
  correctInvoice as correctAndReplace,
  type ExcessRefunds,
  type Issuer,
  previewCancellation as previewCancelling,
} from '#server/features/documents/documents.ts';
import type { Owner } from '#server/portal.ts';
import { refuse } from '#server/refusals/refuse.ts';
import { requireNotRefundedElsewhere } from './paid-elsewhere.ts';
import { startRefund } from './refund-writer.ts';
import { selectRefundsOfPayment } from './store.ts';

/** Corrects the buyer of an invoice, and refunds tax that was added to the price and is no longer due. */
export function correctInvoice(
  issuer: Issuer,
  owner: Owner,
  documentId: string,
  /** Of an operator. */
  cause?: OperatorCause,
  alongside?: (tx: Tx, correction: Correction) => Promise<void>,
): Promise<Correction> {
  return correctAndReplace(issuer, owner, documentId, excessRefunds(cause), alongside);
}

/** What a correction would issue: it is made, and undone. */
export async function previewCorrection(
  issuer: Issuer,
  owner: Owner,
  documentId: string,
  cause: OperatorCause,
): Promise<Correction> {
  let made: Correction | undefined;
  const undo = new Error('only a preview');
  try {
    await correctInvoice(issuer, owner, documentId, cause, async (_tx, correction) => {
      made = correction;
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  if (!made) throw new Error('the preview was not undone');
  return made;
}

/** What cancelling the registration of an invoice would do. */
export function previewCancellation(issuer: Issuer, number: string, cause: OperatorCause): Promise<Cancellation> {
  return previewCancelling(issuer, number, cause, excessRefunds(cause).requireNew);
}

/** For the operator: cancels the registration of an invoice and issues its replacement, with the same refund. */
export function cancelEInvoice(
  issuer: Issuer,
  number: string,
  reason: CancelReason,
  cause: OperatorCause,
): Promise<Cancellation & { replacedBy: string }> {
  return cancelAndReplace(issuer, number, reason, cause, excessRefunds(cause));
}

/** How what a replaced invoice leaves over of its payment is refunded, in the transaction that replaces it. Requires the activation's lock. */
const excessRefunds = (cause?: OperatorCause): ExcessRefunds => ({
  requireNew: async (tx, { paymentId, cycleId, amountPaise }) => {
    const refunds = await selectRefundsOfPayment(tx, paymentId);
    try {
      requireNotRefundedElsewhere(refunds, { cycleId, amountPaise, reason: cause?.reason ?? '' });
    } catch (error) {
      // An operator has to look, and can name the refund.
      throw cause ? error : refuse('cannot_correct');
    }
  },
  start: async (issuer, owner, tx, excess) => {
    const reason = 'The corrected invoice bears no tax';
    await startRefund(issuer, owner, tx, { ...excess, origin: 'CORRECTION', reason, from: 'CYCLE' });
  },
});
