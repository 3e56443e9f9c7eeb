import { Command, CommanderError } from 'commander';
import { backupCommand, restoreCommand } from './backup/commands.ts';
import { actionsCommand } from './actions/actions.ts';
import { customersCommands } from './customers/customers.ts';
import { catalogCommands } from './catalog/commands.ts';
import { keysCommands } from './keys/keys.ts';
import { CommandFailed, exitCodes } from './command-result.ts';
import { migrateCommand } from './database/migrate.ts';
import { supportCommands } from './support/commands.ts';
import { tdsCommands } from './tds/commands.ts';

/** The `octroi` command with all its subcommands. */
function createProgram(): Command {
  const program = new Command('octroi')
    .description('Runs and looks after an Octroi installation.')
    .addCommand(catalogCommands())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(migrateCommand())
    .addCommand(keysCommands())
    .addCommand(customersCommands())
    .addCommand(actionsCommand())
    .addCommand(tdsCommands())
    .addCommand(supportCommands());
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
