import { printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect } from '#cli/operator.ts';
import type { CancelReason } from '#shared/domain/e-invoice.ts';
import type { Recipient } from '#shared/domain/document.ts';
import { formatRupees, rupees } from '#shared/domain/money.ts';
import { readCancellable } from '#server/features/documents/documents.ts';
import { cancelEInvoice } from '#server/features/refunds/refunds.ts';
import { asOperator } from '#server/operator-context.ts';

/** `octroi e-invoices cancel` */
export async function cancelRegistration(
  number: string,
  options: ActionOptions & { because: CancelReason },
): Promise<void> {
  await asOperator(async (operator) => {
    const { document, irn, buyer } = await readCancellable(operator, number);
    const effect = `${number} of ${formatRupees(document.total_paise)} to ${nameOf(document.content.recipient)}, IRN ${irn}: its registration is cancelled, and a new invoice to ${nameOf(buyer)} replaces it. Tax that was added to the price and is no longer due is refunded.`;
    if (options.dryRun === true) {
      const result = { cancelled: null, replacedBy: null, number, irn, newBuyer: buyer };
      printResult(options.json, result, [effect, 'Nothing was changed.']);
      return;
    }
    showEffect([effect], options);
    await confirm('Cancel it?', options);
    const { refundPaise, ...done } = await cancelEInvoice(operator, number, options.because, causeOf(options));
    const refund = refundPaise === 0 ? '' : ` ${formatRupees(refundPaise)} of tax is refunded.`;
    printResult(options.json, { ...done, refunded: rupees(refundPaise) }, [
      `${done.cancelled} is cancelled; ${done.replacedBy} replaces it.${refund}`,
    ]);
  });
}

const nameOf = ({ name, gstin }: Pick<Recipient, 'name' | 'gstin'>): string =>
  gstin === null ? `${name} without a GSTIN` : `${name} (${gstin})`;
