import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { OperatorCause } from '#server/audit-log/audit-log.ts';
import { CommandFailed, exitCodes } from './command-result.ts';

/** Options of every command that changes something. */
export interface ActionOptions {
  reason: string;
  actor: string;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** The person at the terminal, also behind sudo; in a container the user may have no name. */
export function currentActor(): string {
  try {
    return process.env['SUDO_USER'] ?? userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Adds them to a command. */
export function withActionOptions(command: Command): Command {
  return command
    .requiredOption('--reason <text>', 'why; kept in the audit log, and read by the customer it concerns')
    .option('--actor <name>', 'who acts', currentActor())
    .option('--dry-run', 'show the effect and change nothing')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print the result as JSON');
}

export const causeOf = ({ actor, reason }: ActionOptions): OperatorCause => ({ actor, reason });

/** Asks at a terminal whether to go on; without one, `--yes` is needed. */
export async function confirm(question: string, { yes, json }: Pick<ActionOptions, 'yes' | 'json'>): Promise<void> {
  if (yes === true) return;
  if (!process.stdin.isTTY || json === true)
    throw new CommandFailed(
      'Nothing was changed. Add --yes to do it, or --dry-run to see its effect.',
      exitCodes.usage,
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const reply = await terminal.question(`${question} [y/N] `);
    if (!/^y(es)?$/i.test(reply.trim())) throw new CommandFailed('Nothing was changed.');
  } finally {
    terminal.close();
  }
}
