import { Command } from 'commander';
import { CommandFailed, exitCodes } from '#cli/command-result.ts';
import { commandFor, show } from '#cli/operator.ts';
import { listActions, type RecordedAction } from '#shared/contract/operator/actions.ts';
import { istTime } from '#shared/domain/day.ts';

/** `octroi actions`: the audit log. */
export function actionsCommand(): Command {
  return commandFor(listActions, new Command('actions'))
    .description('List what operators did, newest first. `octroi verify-ledger` verifies that nobody changed it.')
    .option('--limit <number>', 'how many', '50')
    .option('--customer <id>', 'only those that concern this customer')
    .addHelpText('after', '\nExamples:\n  octroi actions\n  octroi actions --customer CUS-7K2M9QX4TB01 --json')
    .action(list);
}

interface ListOptions {
  limit: string;
  customer?: string;
  json?: boolean;
}

async function list({ limit, customer: customerId, ...options }: ListOptions): Promise<void> {
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw new CommandFailed(`${limit} is not a number of actions.`, exitCodes.usage);
  await show(listActions, { limit: Number(limit), customerId }, options, ({ actions }) =>
    actions.length === 0 ? ['Nothing yet.'] : actions.map(describeAction),
  );
}

/** One line of the audit log. */
export function describeAction({ position, at, actor, action, target, reason }: RecordedAction): string {
  return `${String(position).padStart(5)}  ${istTime(new Date(at))}  ${actor}  ${action}  ${target}  ${reason}`;
}
