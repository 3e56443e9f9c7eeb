import { Argument, Command } from 'commander';
import { dayArgument } from '#cli/arguments.ts';
import { commandFor } from '#cli/operator.ts';
import { listRemittances, recordRemittance } from '#shared/contract/operator/documents.ts';
import { remittanceKinds } from '#shared/domain/remittance.ts';
import { printExports } from './list.ts';
import { amountArgument, currencyArgument, recordExport, referenceArgument } from './record.ts';

/** `octroi remittances …`: proof that exports were paid for from abroad. */
export function remittancesCommands(): Command {
  const remittances = new Command('remittances').description(
    'Proof that exports were paid for from abroad. After a year without it the tax is due (Rule 96A).',
  );
  commandFor(listRemittances, remittances.command('list'))
    .description('List the exports whose payment has no proof yet.')
    .option('--all', 'those with a proof too')
    .addHelpText('after', '\nExamples:\n  octroi remittances list\n  octroi remittances list --all --json')
    .action(printExports);
  commandFor(recordRemittance, remittances.command('record'))
    .description('Record the proof of a payment. A second one for the same payment corrects the first.')
    .argument('<payment>', 'its id at Razorpay')
    .addArgument(new Argument('<kind>', 'what the bank or Razorpay gave').choices(remittanceKinds))
    .argument('<reference>', 'its number', referenceArgument)
    .argument('<day>', 'when the money was received, such as 2026-11-20', dayArgument)
    .argument('<amount>', 'in that currency, such as 17.90', amountArgument)
    .argument('<currency>', 'such as USD', currencyArgument)
    .addHelpText(
      'after',
      '\nExample:\n  octroi remittances record pay_N8FUmetkCE2hZP FIRA 2611AB0001 2026-11-20 17.90 USD --reason "FIRA of Razorpay"',
    )
    .action(recordExport);
  return remittances;
}
