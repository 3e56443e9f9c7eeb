import { Command } from 'commander';
import { commandFor, show } from '#cli/operator.ts';
import { linesOfPage, type PageOptions, withPageOptions } from '#cli/pages.ts';
import { listActions, type RecordedAction } from '#shared/contract/operator/actions.ts';
import { istTime } from '#shared/domain/day.ts';

/** `octroi actions`: the audit log. */
export function actionsCommand(): Command {
  return withPageOptions(commandFor(listActions, new Command('actions')))
    .description('List what operators did, newest first. `octroi verify-ledger` verifies that nobody changed it.')
    .option('--customer <id>', 'only those that concern this customer')
    .option('--by <who>', 'only those of this person or program, as the list names it')
    .addHelpText('after', '\nExamples:\n  octroi actions\n  octroi actions --customer CUS-7K2M9QX4TB01 --json')
    .action(list);
}

type ListOptions = PageOptions & { customer?: string; by?: string };

async function list({ limit, after, customer: customerId, by: actor, ...options }: ListOptions): Promise<void> {
  await show(listActions, { limit, after, customerId, actor }, options, ({ actions, next }) =>
    linesOfPage(actions.map(describeAction), next, 'Nothing yet.'),
  );
}

/** One line of the audit log. */
export function describeAction({ position, at, actor, action, target, reason }: RecordedAction): string {
  return `${String(position).padStart(5)}  ${istTime(new Date(at))}  ${actor}  ${action}  ${target}  ${reason}`;
}
