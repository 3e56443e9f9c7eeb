import type { Tx } from '#shared/database/connect.ts';
import type { CancelReason } from '#shared/domain/e-invoice.ts';
import type { OperatorCause } from '#server/audit-log/audit-log.ts';
import {
  type Cancellation,
  cancelEInvoice as cancelAndReplace,
  type Correction,
  correctInvoice as correctAndReplace,
  type Excess,
  type Issuer,
} from '#server/features/documents/documents.ts';
import type { Owner } from '#server/portal.ts';
import { startRefund } from './refund-writer.ts';

/** Corrects the buyer of an invoice, and refunds tax that was added to the price and is no longer due. */
export function correctInvoice(
  issuer: Issuer,
  owner: Owner,
  documentId: string,
  alongside?: (tx: Tx, correction: Correction) => Promise<void>,
): Promise<Correction> {
  return correctAndReplace(issuer, owner, documentId, refundExcess, alongside);
}

/** What a correction would issue: it is made, and undone. */
export async function previewCorrection(issuer: Issuer, owner: Owner, documentId: string): Promise<Correction> {
  let made: Correction | undefined;
  const undo = new Error('only a preview');
  try {
    await correctInvoice(issuer, owner, documentId, async (_tx, correction) => {
      made = correction;
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  if (!made) throw new Error('the preview was not undone');
  return made;
}

/** For the operator: cancels the registration of an invoice and issues its replacement, with the same refund. */
export function cancelEInvoice(
  issuer: Issuer,
  number: string,
  reason: CancelReason,
  cause: OperatorCause,
): Promise<Cancellation & { replacedBy: string }> {
  return cancelAndReplace(issuer, number, reason, cause, refundExcess);
}

/** Refunds what a replaced invoice leaves over of its payment, in the transaction that replaces it. Requires the activation's lock. */
async function refundExcess(issuer: Issuer, owner: Owner, tx: Tx, excess: Excess): Promise<void> {
  const reason = 'The corrected invoice bears no tax';
  await startRefund(issuer, owner, tx, { ...excess, origin: 'CORRECTION', reason, from: 'CYCLE' });
}
