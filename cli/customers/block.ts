import type { Command } from 'commander';
import { printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect, withActionOptions } from '#cli/operator.ts';
import { dayOf, istTime } from '#domain/day.ts';
import { asOperator } from '#server/operator-context.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { blockCustomer, type BlockFacts, readBlockFacts, unblockCustomer } from '#server/operator/blocks.ts';

const verbs = {
  block: {
    act: blockCustomer,
    question: 'Block this customer?',
    done: 'is blocked',
    effect: (facts: BlockFacts) => [
      `Calls with all ${facts.keysInUse} keys will be refused with 403, test keys too. Buying, paying and making keys are refused in the portal.`,
      ...facts.runningPlans.map(
        ({ planName, productId, toDate }) =>
          `  ${planName} of ${productId} goes on until ${toDate}; its days are not given back.`,
      ),
      'A payment that is under way is refunded when it arrives. Nothing else is changed or lost.',
      'The customer gets a mail with the reason, and reads it after signing in; documents and support stay open.',
    ],
  },
  unblock: {
    act: unblockCustomer,
    question: 'Take the block away?',
    done: 'is no longer blocked',
    effect: (facts: BlockFacts) => [
      ...(facts.blockedSince === null ? [] : [`Blocked since ${istTime(facts.blockedSince)}: ${facts.blockedReason}`]),
      `All ${facts.keysInUse} keys and ${facts.runningPlans.length} running plans work again as before. The customer gets a mail.`,
    ],
  },
} as const;

/** `octroi customers block` and `unblock`. */
export function addBlockCommands(customers: Command): void {
  withActionOptions(customers.command('block <customer>'))
    .description(
      'Block a customer: every gateway refuses the calls, and nothing can be bought or paid. Nothing is lost; `unblock` restores everything.',
    )
    .addHelpText(
      'after',
      `
Exit codes: 0 blocked; 1 not blocked, the message says why; 2 wrong command line.

Examples:
  octroi customers block CUS-7K2M9QX4TB01 --reason "Keys were sold to others" --dry-run
  octroi customers block CUS-7K2M9QX4TB01 --reason "Keys were sold to others" --yes`,
    )
    .action((id: string, options: ActionOptions) => run('block', id, options));
  withActionOptions(customers.command('unblock <customer>'))
    .description('Take the block of a customer away: keys and plans work as before it.')
    .addHelpText('after', '\nExample:\n  octroi customers unblock CUS-7K2M9QX4TB01 --reason "Cleared up by phone"')
    .action((id: string, options: ActionOptions) => run('unblock', id, options));
}

const factsNow = ({ db, clock }: OperatorContext, id: string) => readBlockFacts(db, id, dayOf(clock()));

async function run(verb: keyof typeof verbs, id: string, options: ActionOptions): Promise<void> {
  const { act, question, done, effect } = verbs[verb];
  await asOperator(async (operator) => {
    const facts = await factsNow(operator, id);
    const lines = [`${facts.customerId}  ${facts.name} <${facts.email}>`, ...effect(facts)];
    if (options.dryRun === true) return printResult(options.json, { changed: false, ...facts }, lines);
    showEffect(lines, options);
    await confirm(question, options);
    const { effectiveBy } = await act(operator, id, causeOf(options));
    const after = await factsNow(operator, id);
    return printResult(options.json, { changed: true, ...after, effectiveBy }, [
      effectiveBy === null
        ? `${facts.customerId} ${done}: every running gateway obeys from now on.`
        : `${facts.customerId} ${done}. A gateway has not confirmed it; from ${effectiveBy} at the latest all of them obey.`,
    ]);
  });
}
