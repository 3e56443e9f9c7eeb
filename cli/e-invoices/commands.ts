import { Command, Option } from 'commander';
import { cancelReasons } from '#shared/domain/e-invoice.ts';
import { withActionOptions } from '#cli/operator.ts';
import { cancelRegistration } from './cancel.ts';
import { listUnregistered } from './list.ts';
import { retryRegistration } from './retry.ts';

/** `octroi e-invoices …`: registrations with the invoice portal. */
export function eInvoicesCommands(): Command {
  const eInvoices = new Command('e-invoices').description(
    'Registrations with the invoice portal: what waits, what was refused, and the ways out.',
  );
  eInvoices
    .command('list')
    .description('List the documents that are not registered with the invoice portal, and the ways out of each.')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  octroi e-invoices list')
    .action(listUnregistered);
  withActionOptions(eInvoices.command('cancel <number>'))
    .description(
      'Cancel the registration of an invoice within its 24 hours, and issue a replacement to the buyer in the current business profile. The customer gets a mail; --reason is also the remark at the invoice portal.',
    )
    .addOption(
      new Option('--because <kind>', 'the kind of reason that the invoice portal asks for')
        .choices(Object.keys(cancelReasons))
        .makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      '\nExample:\n  octroi e-invoices cancel OCT/26-27/000001 --because data-entry-mistake --reason "Wrong buyer"',
    )
    .action(cancelRegistration);
  withActionOptions(eInvoices.command('retry <number>'))
    .description('Let the running portal register a document again that the invoice portal had refused.')
    .addHelpText('after', '\nExample:\n  octroi e-invoices retry OCT/26-27/000001 --reason "The GSTIN is active again"')
    .action(retryRegistration);
  return eInvoices;
}
