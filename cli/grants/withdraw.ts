import { Command } from 'commander';
import { act, type ActionOptions, commandFor } from '#cli/operator.ts';
import { renewalLines } from '#cli/renewal-effect.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { withdrawPlan } from '#shared/contract/operator/grants.ts';
import { periodText } from '#shared/domain/day-text.ts';

/** `octroi withdraw`. */
export function withdrawCommand(): Command {
  return commandFor(withdrawPlan, new Command('withdraw').argument('<plan>', 'the granted plan (CYC-…)'))
    .description(
      'End a granted plan before its days are over, or before it begins. Returns when every running gateway refuses its calls. Plans that were paid for are not ended by it.',
    )
    .addHelpText(
      'after',
      `
Exit codes: 0 ended; 1 not ended, the message says why; 2 wrong command line.

Examples:
  octroi withdraw CYC-7K2M9QX4TB01 --reason "The proof of concept is over" --dry-run
  octroi withdraw CYC-7K2M9QX4TB01 --reason "The proof of concept is over" --yes`,
    )
    .action(withdraw);
}

const withdraw = (cycleId: string, options: ActionOptions): Promise<void> =>
  act(withdrawPlan, { cycleId }, options, {
    did: 'ended',
    effect: describe,
    question: 'End this plan?',
    done: ({ cycleId: id, effectiveBy }) => [
      effectiveBy === null
        ? `${id} is ended: every running gateway knows it.`
        : `${id} is ended. A gateway has not confirmed it; from ${effectiveBy} at the latest all of them know it.`,
    ],
  });

function describe(plan: OperatorReply<'withdrawPlan'>): string[] {
  return [
    `${plan.cycleId} of ${plan.customerId}: ${plan.planName} of ${plan.productId}, granted ${periodText(plan)}: ${plan.granted}`,
    plan.isRunning ? '  It ends at once; its calls are refused from then on.' : '  It never begins.',
    ...renewalLines(plan).map((line) => `  ${line}`),
    'The customer gets a mail with the reason. Nothing is refunded for it.',
  ];
}
