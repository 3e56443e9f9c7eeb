import { Command } from 'commander';
import { withActionOptions } from '#cli/operator.ts';
import { listJournals, settle } from './journals.ts';

/** `octroi journals …`: what stopped gateways counted and hold. */
export function journalsCommands(): Command {
  const journals = new Command('journals').description('Journals of gateways that stopped and will not start again.');
  journals
    .command('list')
    .description('List the journals of stopped gateways that still hold units of quotas.')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExample:\n  octroi journals list')
    .action(listJournals);
  withActionOptions(journals.command('settle'))
    .description(
      'Count the calls in the journal of a gateway that will not start again, and release its units. Refused while a gateway uses the journal.',
    )
    .argument('<folder>', "the journal's folder, or a copy of it on this machine")
    .addHelpText(
      'after',
      '\nExample:\n  octroi journals settle /srv/old-gateway/journal --reason "The machine is gone"',
    )
    .action(settle);
  return journals;
}
