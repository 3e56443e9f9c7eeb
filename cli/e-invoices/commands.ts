import { Command, Option } from 'commander';
import { act, type ActionOptions, commandFor, show } from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { cancelEInvoice } from '#shared/contract/operator/customers.ts';
import { listUnregistered, retryEInvoice } from '#shared/contract/operator/documents.ts';
import { type CancelReason, cancelReasonNames } from '#shared/domain/e-invoice.ts';
import { deadlineText } from '#shared/domain/e-invoice-deadline.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';

/** `octroi e-invoices …`: registrations with the invoice portal. */
export function eInvoicesCommands(): Command {
  const eInvoices = new Command('e-invoices').description(
    'Registrations with the invoice portal: what waits, what was refused, and the ways out.',
  );
  commandFor(listUnregistered, eInvoices.command('list'))
    .description('List the documents that are not registered with the invoice portal, and the ways out of each.')
    .addHelpText('after', '\nExample:\n  octroi e-invoices list')
    .action(list);
  commandFor(cancelEInvoice, eInvoices.command('cancel <number>'))
    .description(
      'Cancel the registration of an invoice within its 24 hours, and issue a replacement to the buyer in the current business profile. The customer gets a mail; --reason is also the remark at the invoice portal.',
    )
    .addOption(
      new Option('--because <kind>', 'the kind of reason that the invoice portal asks for')
        .choices(cancelReasonNames)
        .makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      '\nExample:\n  octroi e-invoices cancel OCT/26-27/000001 --because data-entry-mistake --reason "Wrong buyer"',
    )
    .action(cancel);
  commandFor(retryEInvoice, eInvoices.command('retry <number>'))
    .description('Let the running portal register a document again that the invoice portal had refused.')
    .addHelpText('after', '\nExample:\n  octroi e-invoices retry OCT/26-27/000001 --reason "The GSTIN is active again"')
    .action(retry);
  return eInvoices;
}

async function list(options: { json?: boolean }): Promise<void> {
  await show(listUnregistered, {}, options, ({ documents }) =>
    documents.length === 0 ? ['Every document is registered.'] : documents.flatMap(linesOf),
  );
}

function linesOf(item: OperatorReply<'listUnregistered'>['documents'][number]): string[] {
  const { number, state, issuedOn, lastDay, daysLeft, buyer, buyerGstin, total, refused, waysOut } = item;
  const limit = lastDay === null || daysLeft === null ? '' : `, ${deadlineText(lastDay, daysLeft)}`;
  return [
    `${number}  ${state.toUpperCase()}  ${formatRupees(toPaise(total))}  ${buyer} ${buyerGstin ?? ''}`.trimEnd(),
    `  issued on ${issuedOn}${limit}`,
    ...(refused === null ? [] : [`  ${refused.code}: ${refused.reason}`]),
    ...waysOut.map((way) => `  - ${way}`),
    '',
  ];
}

async function cancel(number: string, options: ActionOptions & { because: CancelReason }): Promise<void> {
  await act(cancelEInvoice, { number, because: options.because }, options, {
    did: 'cancelled',
    effect: ({ total, before, irn, buyer, refunded }) => [
      `${number} of ${formatRupees(toPaise(total))} to ${nameOf(before)}, IRN ${irn}: its registration is cancelled, and a new invoice to ${nameOf(buyer)} replaces it.${refundText(refunded)}`,
    ],
    question: 'Cancel it?',
    done: ({ replacedBy, refunded }) => [`${number} is cancelled; ${replacedBy} replaces it.${refundText(refunded)}`],
  });
}

const refundText = (refunded: number): string =>
  refunded === 0 ? '' : ` ${formatRupees(toPaise(refunded))} of tax is refunded.`;

const nameOf = ({ name, gstin }: { name: string; gstin: string | null }): string =>
  gstin === null ? `${name} without a GSTIN` : `${name} (${gstin})`;

const retry = (number: string, options: ActionOptions) =>
  act(retryEInvoice, { number }, options, {
    did: 'retried',
    effect: ({ buyer, refused }) => [`${number} of ${buyer}, refused with ${refused.code}: ${refused.reason}`],
    question: 'Register it again?',
    done: () => [`The running portal will register ${number} again.`],
  });
