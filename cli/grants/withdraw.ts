import { Command } from 'commander';
import { printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect, withActionOptions } from '#cli/operator.ts';
import { periodText } from '#domain/day-text.ts';
import { asOperator } from '#server/operator-context.ts';
import { previewWithdrawal, withdrawGrant, type WithdrawalPreview } from '#server/operator/withdraw-grant.ts';

/** `octroi withdraw`. */
export function withdrawCommand(): Command {
  return withActionOptions(new Command('withdraw').argument('<plan>', 'the granted plan (CYC-…)'))
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

async function withdraw(cycleId: string, options: ActionOptions): Promise<void> {
  await asOperator(async (operator) => {
    const preview = await previewWithdrawal(operator, cycleId);
    const lines = describe(preview);
    if (options.dryRun === true) return printResult(options.json, { ended: false, ...preview }, lines);
    showEffect(lines, options);
    await confirm('End this plan?', options);
    const result = await withdrawGrant(operator, cycleId, causeOf(options));
    return printResult(options.json, { ended: true, ...result }, [
      result.effectiveBy === null
        ? `${result.cycleId} is ended: every running gateway knows it.`
        : `${result.cycleId} is ended. A gateway has not confirmed it; from ${result.effectiveBy} at the latest all of them know it.`,
    ]);
  });
}

function describe(plan: WithdrawalPreview): string[] {
  return [
    `${plan.cycleId} of ${plan.customerId}: ${plan.planName} of ${plan.productId}, granted ${periodText(plan)}: ${plan.granted}`,
    plan.isRunning ? '  It ends at once; its calls are refused from then on.' : '  It never begins.',
    'The customer gets a mail with the reason. No money is concerned.',
  ];
}
