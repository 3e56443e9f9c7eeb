import { Command, Option } from 'commander';
import { commandFor, currentActor, makes, readActor } from '#cli/operator.ts';
import { withPageOptions } from '#cli/pages.ts';
import {
  addNote,
  assignThread,
  changeCannedAnswer,
  createCannedAnswer,
  listCannedAnswers,
  listNotes,
  removeCannedAnswer,
  removeNote,
  closeThread,
  listThreads,
  readThread,
  readThreadFile,
  replyToThread,
} from '#shared/contract/operator/support.ts';
import { supportStatuses } from '#shared/domain/support-thread.ts';
import { assign, close, reply } from './answer.ts';
import { saveThreadFile } from './files.ts';
import { changeAnswer, forgetAnswer, forgetNote, makeAnswer, note, printAnswers, printNotes } from './notes.ts';
import { list, showOne } from './read.ts';

/** `octroi support …`: what customers write, and the replies. */
export function supportCommands(): Command {
  const support = new Command('support').description('Messages of customers: list, show, reply, close.');
  withPageOptions(commandFor(listThreads, support.command('list')))
    .description('List the threads, those that wait longest first.')
    .addOption(new Option('--status <status>', 'only those').choices([...supportStatuses, 'ALL']).default('OPEN'))
    .option('--customer <id>', 'only those of this customer')
    .addOption(new Option('--assigned <email>', 'only those of this operator').conflicts('unassigned'))
    .option('--unassigned', 'only those without an operator')
    .addHelpText('after', '\nExamples:\n  octroi support list\n  octroi support list --status ALL --json')
    .action(list);
  commandFor(readThread, support.command('show <thread>'))
    .description('Show a thread with its messages, oldest first.')
    .addHelpText('after', '\nExample:\n  octroi support show SUP-7K2M9QX4TB01')
    .action(showOne);
  commandFor(readThreadFile, support.command('file <thread> <file> [path]'))
    .description('Save a file of a thread; by default in the present folder, under its id and name.')
    .addHelpText('after', '\nExample:\n  octroi support file SUP-7K2M9QX4TB01 SPF-7K2M9QX4TB01')
    .action(saveThreadFile);
  makes(replyToThread, support.command('reply <thread> [message]'))
    .description(
      'Reply to a thread: the customer gets it in the portal and by mail. Without a message it is read from standard input.',
    )
    .option('--attach <paths...>', 'files: PDF, PNG, JPEG, TXT or CSV; 5 of 4 MB together')
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
  addNoteCommands(support);
  return support;
}

/** What operators keep for each other. */
function addNoteCommands(support: Command): void {
  commandFor(listNotes, support.command('notes <customer>'))
    .description('What operators noted about a customer, in threads and in general, newest first.')
    .addHelpText('after', '\nExample:\n  octroi support notes CUS-7K2M9QX4TB01')
    .action(printNotes);
  commandFor(addNote, support.command('note <thread-or-customer> <text>'))
    .description('Note something for other operators. The customer does not see it.')
    .addHelpText(
      'after',
      '\nExample:\n  octroi support note SUP-7K2M9QX4TB01 "Asked by telephone too" --reason "For the next shift" --yes',
    )
    .action(note);
  commandFor(removeNote, support.command('remove-note <note>'))
    .description('Remove a note for good.')
    .addHelpText('after', '\nExample:\n  octroi support remove-note SPN-7K2M9QX4TB01 --reason "Wrong customer" --yes')
    .action(forgetNote);
  commandFor(listCannedAnswers, support.command('answers'))
    .description('The canned answers that the console inserts into replies.')
    .addHelpText('after', '\nExample:\n  octroi support answers')
    .action(printAnswers);
  commandFor(createCannedAnswer, support.command('add-answer <title> <text>'))
    .description('Make a canned answer. It may say {{name}}, {{business}}, {{plan}}, {{ends}} and {{thread}}.')
    .addHelpText(
      'after',
      '\nExample:\n  octroi support add-answer Greeting "Dear {{name}}, thank you." --reason "Asked often" --yes',
    )
    .action(makeAnswer);
  commandFor(changeCannedAnswer, support.command('change-answer <answer> <title> <text>'))
    .description('Change the title and the text of a canned answer.')
    .addHelpText(
      'after',
      '\nExample:\n  octroi support change-answer CAN-7K2M9QX4TB01 Greeting "Dear {{name}}," --reason "Shorter" --yes',
    )
    .action(changeAnswer);
  commandFor(removeCannedAnswer, support.command('remove-answer <answer>'))
    .description('Remove a canned answer. Replies that were made of it stay.')
    .addHelpText('after', '\nExample:\n  octroi support remove-answer CAN-7K2M9QX4TB01 --reason "Not true now" --yes')
    .action(forgetAnswer);
}
