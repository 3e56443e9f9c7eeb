import { Command, CommanderError } from 'commander';
import { accountsCommands } from './accounts/commands.ts';
import { actionsCommand } from './actions/actions.ts';
import { backupCommand, restoreCommand } from './backup/commands.ts';
import { catalogCommands } from './catalog/commands.ts';
import { CommandFailed, exitCodes } from './command-result.ts';
import { customersCommands } from './customers/customers.ts';
import { migrateCommand } from './database/migrate.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { eInvoicesCommands } from './e-invoices/commands.ts';
import { hsnCommands } from './hsn/hsn.ts';
import { journalsCommands } from './journals/commands.ts';
import { keysCommands } from './keys/keys.ts';
import { verifyLedgerCommand } from './ledger/verify-ledger.ts';
import { remittancesCommands } from './remittances/commands.ts';
import { returnCommands } from './returns/commands.ts';
import { settlementsCommand } from './settlements/settlements.ts';
import { supportCommands } from './support/commands.ts';
import { quotaCommands } from './quota/quota.ts';
import { documentsCommands } from './documents/documents.ts';
import { grantCommand } from './grants/grant.ts';
import { paymentsCommands } from './payments/payments.ts';
import { refundCommand } from './payments/refund.ts';
import { tdsCommands } from './tds/commands.ts';

/** Every command, in the order of the help. */
const commands = (): Command[] => [
  migrateCommand(),
  doctorCommand(),
  backupCommand(),
  restoreCommand(),
  verifyLedgerCommand(),
  journalsCommands(),
  catalogCommands(),
  customersCommands(),
  paymentsCommands(),
  refundCommand(),
  grantCommand(),
  quotaCommands(),
  documentsCommands(),
  keysCommands(),
  supportCommands(),
  actionsCommand(),
  settlementsCommand(),
  accountsCommands(),
  ...returnCommands(),
  eInvoicesCommands(),
  remittancesCommands(),
  tdsCommands(),
  hsnCommands(),
];

/** The `octroi` command with all its subcommands. */
function createProgram(): Command {
  const program = new Command('octroi').description('Runs and looks after an Octroi installation.');
  for (const command of commands()) program.addCommand(command);
  // A wrong command line throws instead of ending the process. Subcommands don't inherit either setting.
  for (const each of withSubcommands(program))
    each.exitOverride().showHelpAfterError('Add --help for the options and examples.');
  return program;
}

function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** Runs one command line and returns the exit code. */
export async function run(words: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(words, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof CommandFailed ? error.exitCode : exitCodes.failed;
  }
}
