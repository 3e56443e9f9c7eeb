import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import type { Db } from '#database/connect.ts';
import { createLog, type Log } from '#platform/log.ts';
import { readOperatorSettings } from '#server/config.ts';
import { withDatabase } from '#server/operator-database.ts';
import type { OperatorCause } from '#server/operator/actions.ts';
import { CommandFailed, exitCodes } from './command-result.ts';
import { loadEnvFile } from './env-file.ts';

/** Options of every command that changes something. */
export interface ActionOptions {
  reason: string;
  actor: string;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** The person at the terminal, also behind sudo. */
const currentActor = (): string => process.env['SUDO_USER'] ?? userInfo().username;

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

/** Works on the database of this installation: DATABASE_URL, or the embedded one in DATA_DIR. */
export async function withOperatorDatabase<Result>(
  work: (context: { db: Db; log: Log }) => Promise<Result>,
): Promise<Result> {
  loadEnvFile();
  const log = createLog('operator', { level: 'fatal' });
  return withDatabase(readOperatorSettings({ env: process.env }), (db) => work({ db, log }));
}

/** Asks at a terminal whether to go on; without one, `--yes` is needed. */
export async function confirm(question: string, { yes, json }: ActionOptions): Promise<void> {
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
