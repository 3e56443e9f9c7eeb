import { Command, Option } from 'commander';
import { commandFor, currentActor, makes, readActor } from '#cli/operator.ts';
import { withPageOptions } from '#cli/pages.ts';
import {
  assignThread,
  closeThread,
  listThreads,
  readThread,
  replyToThread,
} from '#shared/contract/operator/support.ts';
import { supportStatuses } from '#shared/domain/support-thread.ts';
import { assign, close, reply } from './answer.ts';
import { list, showOne } from './read.ts';

/** `octroi support …`: what customers write, and the replies. */
export function supportCommands(): Command {
  const support = new Command('support').description('Messages of customers: list, show, reply, close.');
  withPageOptions(commandFor(listThreads, support.command('list')))
    .description('List the threads, those that wait longest first.')
    .addOption(new Option('--status <status>', 'only those').choices([...supportStatuses, 'ALL']).default('OPEN'))
    .option('--customer <id>', 'only those of this customer')
    .addOption(new Option('--assigned <email>', 'only those of this operator').conflicts('unassigned'))
    .option('--unassigned', 'only those of nobody')
    .addHelpText('after', '\nExamples:\n  octroi support list\n  octroi support list --status ALL --json')
    .action(list);
  commandFor(readThread, support.command('show <thread>'))
    .description('Show a thread with its messages, oldest first.')
    .addHelpText('after', '\nExample:\n  octroi support show SUP-7K2M9QX4TB01')
    .action(showOne);
  makes(replyToThread, support.command('reply <thread> [message]'))
    .description(
      'Reply to a thread: the customer gets it in the portal and by mail. Without a message it is read from standard input.',
    )
    .option('--actor <name>', 'who writes; the customer does not see it', readActor, currentActor())
    .option('--dry-run', 'show what would be sent and send nothing')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      `
Examples:
  octroi support reply SUP-7K2M9QX4TB01 "Your key is active again." --yes
  octroi support reply SUP-7K2M9QX4TB01 --yes < reply.txt`,
    )
    .action(reply);
  commandFor(closeThread, support.command('close <thread>'))
    .description('Close a thread that needs no reply. The customer can open it again by writing.')
    .addHelpText('after', '\nExample:\n  octroi support close SUP-7K2M9QX4TB01 --reason "Solved by telephone" --yes')
    .action(close);
  commandFor(assignThread, support.command('assign <thread> [email]'))
    .description(
      'Say which operator looks after a thread; without an address, nobody does. The customer does not see it.',
    )
    .addHelpText(
      'after',
      '\nExample:\n  octroi support assign SUP-7K2M9QX4TB01 asha@kaveri.example --reason "Knows the API" --yes',
    )
    .action(assign);
  return support;
}
