import { printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect } from '#cli/operator.ts';
import type { CancelReason } from '#domain/e-invoice.ts';
import { formatRupees, rupees } from '#domain/money.ts';
import { systemClock } from '#platform/clock.ts';
import { eInvoiceAccountOf, readDocumentSettings } from '#server/config.ts';
import { createGspEInvoices } from '#server/e-invoice/gsp.ts';
import { readCancellable } from '#server/features/documents/documents.ts';
import { cancelEInvoice } from '#server/features/refunds/refunds.ts';
import { asOperator } from '#server/operator-context.ts';

/** `octroi e-invoices cancel` */
export async function cancelRegistration(
  number: string,
  options: ActionOptions & { because: CancelReason },
): Promise<void> {
  await asOperator(async (operator) => {
    const { document, irn } = await readCancellable(operator, number);
    const { recipient } = document.content;
    const effect = `${number} of ${formatRupees(document.total_paise)} to ${recipient.name}, IRN ${irn}: its registration is cancelled, and a new invoice replaces it. Tax that was added to the price and is no longer due is refunded.`;
    if (options.dryRun === true) {
      printResult(options.json, { cancelled: null, replacedBy: null, number, irn }, [effect, 'Nothing was changed.']);
      return;
    }
    showEffect([effect], options);
    await confirm('Cancel it?', options);
    const settings = readDocumentSettings({ env: process.env });
    const account = eInvoiceAccountOf(settings);
    const eInvoices = account && createGspEInvoices(account, systemClock);
    const issuer = { ...operator, settings, eInvoices };
    const { refundPaise, ...done } = await cancelEInvoice(issuer, number, options.because, causeOf(options));
    const refund = refundPaise === 0 ? '' : ` ${formatRupees(refundPaise)} of tax is refunded.`;
    printResult(options.json, { ...done, refunded: rupees(refundPaise) }, [
      `${done.cancelled} is cancelled; ${done.replacedBy} replaces it.${refund}`,
    ]);
  });
}
