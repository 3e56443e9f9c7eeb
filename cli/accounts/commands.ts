import { Command, Option } from 'commander';
import { bookPeriodArgument, dayArgument, monthArgument } from '#cli/arguments.ts';
import { commandFor } from '#cli/operator.ts';
import { exportBooks, readTrialBalance } from '#shared/contract/operator/bookkeeping.ts';
import { listLocks, lockMonth, stepsBeforeLock, unlockMonth } from '#shared/contract/operator/month-end.ts';
import { exportPeriod } from './export.ts';
import { lockBooks, printLocks, unlockBooks } from './locks.ts';
import { printTrialBalance } from './trial-balance.ts';

const month = ['<month>', 'such as 2026-10', monthArgument] as const;

/** `octroi accounts …`: the books. They follow from documents, the ledger and settlements; nothing is posted by hand. */
export function accountsCommands(): Command {
  const accounts = new Command('accounts').description(
    'The books: trial balance, files of a month or year for Tally and spreadsheets, locked months.',
  );
  commandFor(readTrialBalance, accounts.command('trial-balance'))
    .description(
      'Print the trial balance at the end of a day; income and expenses since 1 April. Exits with 3 if the books differ from the ledger.',
    )
    .addOption(new Option('--on <day>', 'such as 2026-10-31; default: today').argParser(dayArgument))
    .option('--csv', 'print it as CSV')
    .addHelpText(
      'after',
      '\nExamples:\n  octroi accounts trial-balance --on 2026-10-31\n  octroi accounts trial-balance --csv > trial-balance.csv',
    )
    .action(printTrialBalance);
  commandFor(exportBooks, accounts.command('export'))
    .description(
      'Write the files of a month or financial year: masters and vouchers for Tally, sales register, day book, trial balance, TDS receivable.',
    )
    .argument('<month or year>', 'such as 2026-10, or 2026-27 for a financial year', bookPeriodArgument)
    .argument('[folder]', 'where to write; default: accounts in the data folder')
    .addHelpText('after', '\nExamples:\n  octroi accounts export 2026-10\n  octroi accounts export 2026-27')
    .action(exportPeriod);
  commandFor(lockMonth, accounts.command('lock'))
    .description('Lock a month that is over, once its returns are filed: no document is dated into it any more.')
    .argument(...month)
    .addOption(
      new Option(
        '--despite <steps...>',
        'what may stay undone, as octroi month-end names it; without it the month is refused',
      ).choices(stepsBeforeLock),
    )
    .addHelpText(
      'after',
      '\nExamples:\n  octroi accounts lock 2026-10 --reason "GSTR-1 filed"\n  octroi accounts lock 2026-10 --despite SETTLEMENT_CHECK --reason "Razorpay corrects it in November"',
    )
    .action(lockBooks);
  commandFor(unlockMonth, accounts.command('unlock'))
    .description('Open a locked month again, for the time that a correction takes.')
    .argument(...month)
    .addHelpText('after', '\nExample:\n  octroi accounts unlock 2026-10 --reason "A wrong GSTIN"')
    .action(unlockBooks);
  commandFor(listLocks, accounts.command('locks'))
    .description(
      'List what was locked and unlocked, by whom and why. Exits with 3 if figures of a locked month have changed.',
    )
    .addHelpText('after', '\nExample:\n  octroi accounts locks')
    .action(printLocks);
  return accounts;
}
