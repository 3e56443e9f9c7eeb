import { Command } from 'commander';
import { act, type ActionOptions, commandFor } from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { printDocument, sendDocuments } from '#shared/contract/operator/documents.ts';
import { titleOf } from '#shared/domain/document.ts';
import { addCorrectCommand } from './correct.ts';
import { addMoveCommand } from './move.ts';

/** `octroi documents …`. */
export function documentsCommands(): Command {
  const documents = new Command('documents').description(
    'Documents of customers: mail them again, make a missing PDF, correct an invoice, move their PDFs.',
  );
  commandFor(sendDocuments, documents.command('send <number...>'))
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
  commandFor(printDocument, documents.command('print <number>'))
    .description('Let the running portal make the PDF of a document that has none.')
    .addHelpText('after', '\nExample:\n  octroi documents print OCT/26-27/000001 --reason "The disk was full"')
    .action(print);
  addCorrectCommand(documents);
  addMoveCommand(documents);
  return documents;
}

const send = (documents: string[], options: ActionOptions & { to?: string }): Promise<void> =>
  act(sendDocuments, { documents, to: options.to }, options, {
    did: 'sent',
    effect: describe,
    question: 'Send this mail?',
    done: (mail) => [
      `A mail with ${mail.documents.map(({ number }) => number).join(', ')} to ${mail.recipient} is written; the running portal sends it.`,
    ],
  });

const print = (number: string, options: ActionOptions): Promise<void> =>
  act(printDocument, { number }, options, {
    did: 'queued',
    effect: ({ buyer, kind, issuedOn }) => [`${titleOf({ kind })} ${number} of ${issuedOn} to ${buyer} has no PDF.`],
    question: 'Make its PDF?',
    done: () => [`The running portal makes the PDF of ${number}; mails that wait for it leave then.`],
  });

function describe({ customerId, recipient, isOtherAddress, documents }: OperatorReply<'sendDocuments'>): string[] {
  return [
    `To ${recipient}${isOtherAddress ? ', which is not the address of the customer' : ''} (${customerId}):`,
    ...documents.map(({ title, number, issuedOn }) => `  ${title} ${number} of ${issuedOn}`),
  ];
}
