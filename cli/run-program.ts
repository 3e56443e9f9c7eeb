import { Command, CommanderError } from 'commander';
import { isDatabaseAway } from '#shared/database/clients.ts';
import { octroiVersion } from '#shared/platform/version.ts';
import { CommandFailed, exitCodes, shownText } from './command-result.ts';

/** The `octroi` command with these subcommands. */
export function createProgram(commands: readonly Command[]): Command {
  const program = new Command('octroi')
    .description('Runs and looks after an Octroi installation.')
    .version(octroiVersion());
  for (const command of commands) program.addCommand(command);
  // A wrong command line throws instead of ending the process. Subcommands don't inherit either setting.
  for (const each of withSubcommands(program))
    each
      .exitOverride()
      .showHelpAfterError('Add --help for the options and examples.')
      // Otherwise a command takes the options of its subcommands that have the names of its own.
      .enablePositionalOptions();
  return program;
}

/** A command and everything below it. */
export function withSubcommands(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withSubcommands)];
}

/** Runs one command line and returns the exit code. */
export async function runProgram(commands: readonly Command[], words: readonly string[]): Promise<number> {
  try {
    await createProgram(commands).parseAsync(words, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    process.stderr.write(`${shownText(messageOf(error))}\n`);
    return error instanceof CommandFailed ? error.exitCode : exitCodes.failed;
  }
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return isDatabaseAway(error)
    ? `The database can't be reached: ${message}. Check DATABASE_URL, or DATA_DIR for the embedded one; octroi doctor says more.`
    : message;
}
