import { printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect } from '#cli/operator.ts';
import type { CancelReason } from '#domain/e-invoice.ts';
import { formatRupees } from '#domain/money.ts';
import { systemClock } from '#platform/clock.ts';
import { eInvoiceAccountOf, readDocumentSettings } from '#server/config.ts';
import { createGspEInvoices } from '#server/e-invoice/gsp.ts';
import { cancelEInvoice, readCancellable } from '#server/features/documents/documents.ts';
import { asOperator } from '#server/operator-context.ts';

/** `octroi e-invoices cancel` */
export async function cancelRegistration(
  number: string,
  options: ActionOptions & { because: CancelReason },
): Promise<void> {
  await asOperator(async (operator) => {
    const { document, irn } = await readCancellable(operator, number);
    const { recipient } = document.content;
    const effect = `${number} of ${formatRupees(document.total_paise)} to ${recipient.name}, IRN ${irn}: its registration is cancelled, and a new invoice replaces it.`;
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
    const replaced = await cancelEInvoice(issuer, number, options.because, causeOf(options));
    printResult(options.json, replaced, [`${replaced.cancelled} is cancelled; ${replaced.replacedBy} replaces it.`]);
  });
}
