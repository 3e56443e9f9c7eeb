import { Command } from 'commander';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { istTime } from '#domain/day.ts';
import { listActions, type RecordedAction } from '#server/audit-log/audit-log.ts';
import { asReader } from '#server/operator-context.ts';
import { requireCustomer } from '#server/features/ownership/ownership.ts';

/** `octroi actions`: the audit log. */
export function actionsCommand(): Command {
  return new Command('actions')
    .description('List what operators did, newest first. `octroi verify-ledger` verifies that nobody changed it.')
    .option('--limit <number>', 'how many', '50')
    .option('--customer <id>', 'only those that concern this customer')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExamples:\n  octroi actions\n  octroi actions --customer CUS-7K2M9QX4TB01 --json')
    .action(list);
}

async function list({ limit, customer, json }: { limit: string; customer?: string; json?: boolean }): Promise<void> {
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw new CommandFailed(`${limit} is not a number of actions.`, exitCodes.usage);
  const actions = await asReader(async (db) => {
    if (customer !== undefined) await requireCustomer(db, customer);
    return listActions(db, { limit: Number(limit), customerId: customer });
  });
  printResult(json, { actions }, actions.length === 0 ? ['Nothing yet.'] : actions.map(describeAction));
}

/** One line of the audit log. */
export function describeAction({ position, at, actor, action, target, reason }: RecordedAction): string {
  return `${String(position).padStart(5)}  ${istTime(at)}  ${actor}  ${action}  ${target}  ${reason}`;
}
