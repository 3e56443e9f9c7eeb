import type { Command } from 'commander';
import { printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect, withActionOptions } from '#cli/operator.ts';
import { formatRupees, rupees } from '#domain/money.ts';
import { asOperator } from '#server/operator-context.ts';
import { correctInvoiceOf, type InvoiceCorrection, previewInvoiceCorrection } from '#server/operator/corrections.ts';

/** `octroi documents correct`. */
export function addCorrectCommand(documents: Command): void {
  withActionOptions(documents.command('correct <number>'))
    .description(
      'Correct the buyer of an invoice to the business details of today: amended with its number where the law allows it (GSTR-1 tables 9A and 9C), otherwise by a credit note and a new invoice.',
    )
    .addHelpText(
      'after',
      `
Exit codes: 0 corrected; 1 not corrected, the message says why; 2 wrong command line.

Examples:
  octroi documents correct OCT/26-27/000001 --reason "The GSTIN was mistyped" --dry-run
  octroi documents correct OCT/26-27/000001 --reason "The GSTIN was mistyped" --yes`,
    )
    .action(correct);
}

async function correct(number: string, options: ActionOptions): Promise<void> {
  await asOperator(async (operator) => {
    const preview = await previewInvoiceCorrection(operator, number);
    const lines = [describe(preview, 'will be')];
    if (options.dryRun === true)
      return printResult(options.json, { corrected: false, ...onWire(preview, true) }, lines);
    showEffect(lines, options);
    await confirm('Correct it?', options);
    const done = await correctInvoiceOf(operator, number, causeOf(options));
    return printResult(options.json, { corrected: true, ...onWire(done, false) }, [
      `${describe(done, 'is')} The customer gets a mail with it.`,
    ]);
  });
}

/** The numbers of a preview are taken by whatever is issued next. */
function onWire(
  { number, customerId, before, invoice, creditNote, refundPaise }: InvoiceCorrection,
  isPreview: boolean,
) {
  const amended = creditNote === null;
  const issued = isPreview || amended ? {} : { invoice: invoice.number, creditNote: creditNote.number };
  return { number, customerId, before, amended, ...issued, refunded: rupees(refundPaise) };
}

function describe(
  { number, before, creditNote, invoice, refundPaise }: InvoiceCorrection,
  verb: 'is' | 'will be',
): string {
  const buyer = before.gstin === null ? `${before.name} without a GSTIN` : `${before.name} (${before.gstin})`;
  if (creditNote === null)
    return `${number} to ${buyer} ${verb} amended to the business details, and keeps its number.`;
  const numbers = verb === 'is' ? ` (${creditNote.number}, ${invoice.number})` : '';
  const refund = refundPaise === 0 ? '' : ` ${formatRupees(refundPaise)} of tax ${verb} refunded.`;
  return `${number} to ${buyer} ${verb} replaced by a credit note and a new invoice${numbers}.${refund}`;
}
