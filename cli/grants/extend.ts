import { Command } from 'commander';
import { daysArgument } from '#cli/arguments.ts';
import { act, type ActionOptions, commandFor } from '#cli/operator.ts';
import { renewalLines } from '#cli/renewal-effect.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { extendCycle } from '#shared/contract/operator/grants.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { periodText } from '#shared/domain/day-text.ts';

/** `octroi extend`. */
export function extendCommand(): Command {
  return commandFor(extendCycle, new Command('extend').argument('<plan>', 'the id of a plan (CYC-…)'))
    .description(
      'Give a plan that runs or waits some days more at no price. The added days are a granted plan with the same terms that begins where it ends, with its quotas for themselves. A plan that follows is in the way: extend that one.',
    )
    .requiredOption('--days <number>', 'how many days, at most 366', daysArgument)
    .addHelpText(
      'after',
      `
Exit codes: 0 extended; 1 not extended, the message says why; 2 wrong command line.

Examples:
  octroi extend CYC-7K2M9QX4TB01 --days 3 --reason "The outage of 3 May" --dry-run
  octroi extend CYC-7K2M9QX4TB01 --days 3 --reason "The outage of 3 May" --yes`,
    )
    .action((cycleId: string, { days, ...options }: ActionOptions & { days: number }) =>
      act(extendCycle, { cycleId, days }, options, {
        did: 'extended',
        effect: describe,
        question: 'Extend this plan?',
        done: ({ planName, extensionId, effectiveBy }) => [
          effectiveBy === null
            ? `${planName} goes on (${extensionId}): every running gateway knows it.`
            : `${planName} goes on (${extensionId}). A gateway has not confirmed it; from ${effectiveBy} at the latest all of them know it.`,
        ],
      }),
    );
}

function describe(extension: OperatorReply<'extendCycle'>): string[] {
  const { cycleId, customerId, planName, productId, dailyQuota, monthlyQuota, rps } = extension;
  return [
    `${cycleId} of ${customerId}: ${planName} of ${productId} goes on, ${periodText(extension)}`,
    `  ${formatNumber(dailyQuota)} a day, ${formatNumber(monthlyQuota)} in all, ${rps} calls per second, for these days alone. No order, no invoice, nothing to pay.`,
    ...renewalLines(extension).map((line) => `  ${line}`),
    'The customer gets a mail with the reason, and sees the added days marked as granted.',
  ];
}
