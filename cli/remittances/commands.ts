import { Argument, Command } from 'commander';
import { dayArgument } from '#cli/arguments.ts';
import { withActionOptions } from '#cli/operator.ts';
import { remittanceKinds } from '#shared/domain/remittance.ts';
import { amountArgument, currencyArgument, recordRemittance } from './record.ts';
import { listRemittances } from './list.ts';

/** `octroi remittances …`: proof that exports were paid for from abroad. */
export function remittancesCommands(): Command {
  const remittances = new Command('remittances').description(
    'Proof that exports were paid for from abroad. After a year without it the tax is due (Rule 96A).',
  );
  remittances
    .command('list')
    .description('List the exports whose payment has no proof yet.')
    .option('--all', 'those with a proof too')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExamples:\n  octroi remittances list\n  octroi remittances list --all --json')
    .action(listRemittances);
  withActionOptions(remittances.command('record'))
    .description('Record the proof of a payment. A second one for the same payment corrects the first.')
    .argument('<payment>', 'its id at Razorpay')
    .addArgument(new Argument('<kind>', 'what the bank or Razorpay gave').choices(remittanceKinds))
    .argument('<reference>', 'its number')
    .argument('<day>', 'when the money was received, such as 2026-11-20', dayArgument)
    .argument('<amount>', 'in that currency, such as 17.90', amountArgument)
    .argument('<currency>', 'such as USD', currencyArgument)
    .addHelpText(
      'after',
      '\nExample:\n  octroi remittances record pay_N8FUmetkCE2hZP FIRA 2611AB0001 2026-11-20 17.90 USD --reason "FIRA of Razorpay"',
    )
    .action(recordRemittance);
  return remittances;
}
