import { Command } from 'commander';
import { printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect, withActionOptions } from '#cli/operator.ts';
import { asOperator } from '#server/operator-context.ts';
import { type DocumentMail, previewDocumentMail, sendDocuments } from '#server/operator/documents.ts';
import { addCorrectCommand } from './correct.ts';
import { addMoveCommand } from './move.ts';

/** `octroi documents …`. */
export function documentsCommands(): Command {
  const documents = new Command('documents').description(
    'Documents of customers: mail them again, correct an invoice, move their PDFs.',
  );
  withActionOptions(documents.command('send <number...>'))
    .description(
      'Mail documents of one customer again, by their numbers or ids: to the customer, or to another address. An amended invoice goes as amended.',
    )
    .option('--to <address>', 'another address than the one with which the customer signs in')
    .addHelpText(
      'after',
      `
Exit codes: 0 the mail is written and leaves with the portal's; 1 not written, the message says why; 2 wrong command line.

Examples:
  octroi documents send OCT/26-27/000001 --reason "Asked by phone" --dry-run
  octroi documents send OCT/26-27/000001 OCT/26-27/000002 --to accounts@example.com --reason "Asked by phone" --yes`,
    )
    .action(send);
  addCorrectCommand(documents);
  addMoveCommand(documents);
  return documents;
}

async function send(numbers: string[], options: ActionOptions & { to?: string }): Promise<void> {
  await asOperator(async (operator) => {
    const preview = await previewDocumentMail(operator.db, numbers, options.to);
    const lines = describe(preview);
    if (options.dryRun === true) return printResult(options.json, { sent: false, ...preview }, lines);
    showEffect(lines, options);
    await confirm('Send this mail?', options);
    const mail = await sendDocuments(operator, numbers, options.to, causeOf(options));
    return printResult(options.json, { sent: true, ...mail }, [
      `A mail with ${mail.documents.map(({ number }) => number).join(', ')} to ${mail.recipient} is written; the running portal sends it.`,
    ]);
  });
}

function describe({ customerId, recipient, isOtherAddress, documents }: DocumentMail): string[] {
  return [
    `To ${recipient}${isOtherAddress ? ', which is not the address of the customer' : ''} (${customerId}):`,
    ...documents.map(({ title, number, issuedOn }) => `  ${title} ${number} of ${issuedOn}`),
  ];
}
