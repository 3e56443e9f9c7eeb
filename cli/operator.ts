import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { OperatorCause } from '#server/audit-log/audit-log.ts';
import { CommandFailed, exitCodes, shownText } from './command-result.ts';

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
    const { SUDO_USER: behindSudo = '' } = process.env;
    return behindSudo === '' ? userInfo().username : behindSudo;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** One line without control characters: the audit log is shown at terminals, and no entry may look like another one. */
const lineOf =
  (option: string, most: number) =>
  (text: string): string => {
    const line = text.replaceAll(/\s+/g, ' ').trim();
    if (line === '' || line.length > most || /\p{C}/u.test(line))
      throw new CommandFailed(
        `${option} takes 1 to ${most} characters, without control characters. Nothing was changed.`,
        exitCodes.usage,
      );
    return line;
  };

export const readActor = lineOf('--actor', 200);

/** Adds them to a command. */
export function withActionOptions(command: Command): Command {
  return command
    .requiredOption(
      '--reason <text>',
      'why; kept in the audit log, and read by the customer it concerns',
      lineOf('--reason', 1000),
    )
    .option('--actor <name>', 'who acts', readActor, currentActor())
    .option('--dry-run', 'show the effect and change nothing')
    .option('-y, --yes', 'do not ask')
    .option('--json', 'print the result as JSON');
}

export const causeOf = ({ actor, reason }: ActionOptions): OperatorCause => ({ actor, reason });

/** Shows the effect of a command that is about to ask. */
export function showEffect(lines: readonly string[], { yes, json }: Pick<ActionOptions, 'yes' | 'json'>): void {
  if (yes !== true && json !== true) process.stderr.write(`${shownText(lines.join('\n'))}\n`);
}

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
