import type { Command } from 'commander';
import { act, type ActionOptions, commandFor } from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { correctInvoice } from '#shared/contract/operator/customers.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';

/** `octroi documents correct`. */
export function addCorrectCommand(documents: Command): void {
  commandFor(correctInvoice, documents.command('correct <number>'))
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

const correct = (number: string, options: ActionOptions): Promise<void> =>
  act(correctInvoice, { number }, options, {
    did: 'corrected',
    effect: (preview) => [describe(preview, 'will be')],
    question: 'Correct it?',
    done: (corrected) => [`${describe(corrected, 'is')} The customer gets a mail with it.`],
  });

function describe(correction: OperatorReply<'correctInvoice'>, verb: 'is' | 'will be'): string {
  const { number, before, amended, invoice, creditNote, refunded } = correction;
  const buyer = before.gstin === null ? `${before.name} without a GSTIN` : `${before.name} (${before.gstin})`;
  if (amended) return `${number} to ${buyer} ${verb} amended to the business details, and keeps its number.`;
  const numbers = creditNote === null || invoice === null ? '' : ` (${creditNote}, ${invoice})`;
  const refund = refunded === 0 ? '' : ` ${formatRupees(toPaise(refunded))} of tax ${verb} refunded.`;
  return `${number} to ${buyer} ${verb} replaced by a credit note and a new invoice${numbers}.${refund}`;
}
