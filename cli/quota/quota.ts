import { Command } from 'commander';
import { CommandFailed, exitCodes } from '#cli/command-result.ts';
import { act, type ActionOptions, commandFor } from '#cli/operator.ts';
import { overrideCallsPerSecond, setQuota } from '#shared/contract/operator/quota.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { formatNumber } from '#shared/domain/number-text.ts';
import { periodText } from '#shared/domain/day-text.ts';

/** `octroi quota …`. */
export function quotaCommands(): Command {
  const quota = new Command('quota').description(
    'Limits of plans: add units to the quota of one, or set the calls per second of an activation.',
  );
  commandFor(setQuota, quota.command('set <plan>'))
    .description(
      'Add units to the quota of one plan (CYC-…) and of each of its days, until it ends; fewer than none takes back what was added before, never below what is used. What was sold stays as it is. Returns when every running gateway knows it.',
    )
    .requiredOption('--add <units>', 'how many more, such as 5000; --add=-5000 takes them back')
    .addHelpText(
      'after',
      `
Exit codes: 0 changed; 1 not changed, the message says why; 2 wrong command line.

Examples:
  octroi quota set CYC-7K2M9QX4TB01 --add 5000 --reason "Migration of their old system" --dry-run
  octroi quota set CYC-7K2M9QX4TB01 --add=-4500 --reason "500 were meant" --yes`,
    )
    .action(set);
  commandFor(overrideCallsPerSecond, quota.command('rate <activation> <calls>'))
    .description(
      'Set the calls per second of an activation (ACT-…), whatever its plans say, until `plan` takes that back. Returns when every running gateway obeys.',
    )
    .addHelpText(
      'after',
      `
Exit codes: 0 changed; 1 not changed, the message says why; 2 wrong command line.

Examples:
  octroi quota rate ACT-7K2M9QX4TB01 200 --reason "Their sale of Saturday" --dry-run
  octroi quota rate ACT-7K2M9QX4TB01 plan --reason "The sale is over" --yes`,
    )
    .action(setRate);
  return quota;
}

async function set(cycleId: string, options: ActionOptions & { add: string }): Promise<void> {
  if (!/^[+-]?\d{1,12}$/.test(options.add))
    throw new CommandFailed(`--add ${options.add} is not a number of units, such as 5000.`, exitCodes.usage);
  await act(setQuota, { cycleId, units: Number(options.add) }, options, {
    did: 'changed',
    effect: describe,
    question: 'Change this quota?',
    done: ({ cycleId: id, daily, monthly, effectiveBy }) => [
      effectiveBy === null
        ? `${id} has ${formatNumber(daily)} a day and ${formatNumber(monthly)} in all: every running gateway knows it.`
        : `${id} is changed. A gateway has not confirmed it; from ${effectiveBy} at the latest all of them know it.`,
    ],
  });
}

async function setRate(activationId: string, calls: string, options: ActionOptions): Promise<void> {
  if (calls !== 'plan' && !/^[1-9]\d{0,6}$/.test(calls))
    throw new CommandFailed(`${calls} is not a number of calls per second, or: plan.`, exitCodes.usage);
  const callsPerSecond = calls === 'plan' ? null : Number(calls);
  await act(overrideCallsPerSecond, { activationId, callsPerSecond }, options, {
    did: 'changed',
    effect: describeRate,
    question: 'Change the calls per second?',
    done: ({ effectiveBy, ...rate }) => [
      effectiveBy === null
        ? `${rate.activationId} has ${rateText(rate.callsPerSecond)}: every running gateway obeys.`
        : `${rate.activationId} is changed. A gateway has not confirmed it; from ${effectiveBy} at the latest all of them obey.`,
    ],
  });
}

const rateText = (callsPerSecond: number | null): string =>
  callsPerSecond === null ? 'the calls per second of its plans' : `${formatNumber(callsPerSecond)} calls per second`;

function describeRate(rate: OperatorReply<'overrideCallsPerSecond'>): string[] {
  const { activationId, customerId, productId, plan, before, callsPerSecond } = rate;
  return [
    `${activationId} of ${customerId}, ${productId}: ${rateText(before)} → ${rateText(callsPerSecond)}`,
    plan === null
      ? '  No plan runs.'
      : `  ${plan.name} (${plan.cycleId}) has ${formatNumber(plan.callsPerSecond)}. What was sold stays as it is.`,
    'The customer gets a mail with the reason.',
  ];
}

function describe(quota: OperatorReply<'setQuota'>): string[] {
  const { dailyBefore, daily, monthlyBefore, monthly, raised } = quota;
  return [
    `${quota.cycleId} of ${quota.customerId}: ${quota.planName}, ${periodText(quota)}`,
    `  a day:  ${formatNumber(dailyBefore)} → ${formatNumber(daily)}`,
    `  in all: ${formatNumber(monthlyBefore)} → ${formatNumber(monthly)}, of which ${formatNumber(quota.taken)} are used or with gateways`,
    `  ${formatNumber(raised)} more than was sold and recharged. The customer gets a mail with the reason.`,
  ];
}
