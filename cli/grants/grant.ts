import { Command } from 'commander';
import { dayArgument, daysArgument } from '#cli/arguments.ts';
import { act, type ActionOptions, commandFor } from '#cli/operator.ts';
import { renewalLines } from '#cli/renewal-effect.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { grantPlan } from '#shared/contract/operator/grants.ts';
import type { Day } from '#shared/domain/day.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { periodText } from '#shared/domain/day-text.ts';

interface GrantOptions extends ActionOptions {
  product: string;
  plan: string;
  days: number;
  from?: Day;
}

/** `octroi grant`. */
export function grantCommand(): Command {
  return commandFor(grantPlan, new Command('grant').argument('<customer>', 'the id of a customer (CUS-…)'))
    .description(
      'Grant a customer a plan for some days without a payment: no order, no invoice, no revenue. It ends by itself. A free plan that runs ends for it; a paid one does not, nor one with a paid pack.',
    )
    .requiredOption('--product <id>', 'the product')
    .requiredOption('--plan <id>', 'the plan, whose quotas it has')
    .requiredOption('--days <number>', 'how many days, at most 366', daysArgument)
    .option('--from <day>', 'the first day, such as 2026-12-01, within 366 days; today when not given', dayArgument)
    .addHelpText(
      'after',
      `
Exit codes: 0 granted; 1 not granted, the message says why; 2 wrong command line.

Examples:
  octroi grant CUS-7K2M9QX4TB01 --product weather --plan pro --days 30 --reason "Proof of concept" --dry-run
  octroi grant CUS-7K2M9QX4TB01 --product weather --plan pro --days 7 --from 2026-12-01 --reason "Outage" --yes`,
    )
    .action(grant);
}

async function grant(customerId: string, options: GrantOptions): Promise<void> {
  const { product: productId, plan: planId, days, from } = options;
  const order = { customerId, productId, planId, days, from };
  await act(grantPlan, order, options, {
    did: 'granted',
    effect: describe,
    question: 'Grant this plan?',
    done: ({ planName, cycleId, effectiveBy }) => [
      effectiveBy === null
        ? `${planName} is granted (${cycleId}): every running gateway knows it.`
        : `${planName} is granted (${cycleId}). A gateway has not confirmed it; from ${effectiveBy} at the latest all of them know it.`,
    ],
  });
}

function describe(grant: OperatorReply<'grantPlan'>): string[] {
  const { activationId, replaces, dailyQuota, monthlyQuota, rps } = grant;
  return [
    `${grant.customerId}: ${grant.planName} of ${grant.productName}, ${periodText(grant)}`,
    `  ${formatNumber(dailyQuota)} a day, ${formatNumber(monthlyQuota)} in all, ${rps} calls per second. No order, no invoice, nothing to pay.`,
    ...(activationId === null ? ['  The product is activated for the customer, who then makes a key.'] : []),
    ...(replaces === null ? [] : [`  ${replaces.planName} (${replaces.cycleId}) ends for it.`]),
    ...renewalLines(grant).map((line) => `  ${line}`),
    'The customer gets a mail with the reason, and sees the plan marked as granted.',
  ];
}
