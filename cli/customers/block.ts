import type { Command } from 'commander';
import { act, type ActionOptions, commandFor } from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { blockCustomer, unblockCustomer } from '#shared/contract/operator/customers.ts';
import { istTime } from '#shared/domain/day.ts';

type Block = OperatorReply<'blockCustomer'>;

const verbs = {
  block: {
    call: blockCustomer,
    question: 'Block this customer?',
    done: 'is blocked',
    effect: (facts: Block) => [
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
    call: unblockCustomer,
    question: 'Take the block away?',
    done: 'is no longer blocked',
    effect: (facts: Block) => [
      ...(facts.blockedSince === null
        ? []
        : [`Blocked since ${istTime(new Date(facts.blockedSince))}: ${facts.blockedReason}`]),
      `All ${facts.keysInUse} keys and ${facts.runningPlans.length} running plans work again as before. The customer gets a mail.`,
    ],
  },
} as const;

/** `octroi customers block` and `unblock`. */
export function addBlockCommands(customers: Command): void {
  commandFor(blockCustomer, customers.command('block <customer>'))
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
  commandFor(unblockCustomer, customers.command('unblock <customer>'))
    .description('Take the block of a customer away: keys and plans work as before it.')
    .addHelpText('after', '\nExample:\n  octroi customers unblock CUS-7K2M9QX4TB01 --reason "Cleared up by phone"')
    .action((id: string, options: ActionOptions) => run('unblock', id, options));
}

async function run(verb: keyof typeof verbs, customerId: string, options: ActionOptions): Promise<void> {
  const { call, question, done, effect } = verbs[verb];
  await act<'blockCustomer' | 'unblockCustomer'>(call, { customerId }, options, {
    did: 'changed',
    effect: (facts) => [`${facts.customerId}  ${facts.name} <${facts.email}>`, ...effect(facts)],
    question,
    done: ({ customerId: id, effectiveBy }) => [
      effectiveBy === null
        ? `${id} ${done}: every running gateway obeys from now on.`
        : `${id} ${done}. A gateway has not confirmed it; from ${effectiveBy} at the latest all of them obey.`,
    ],
  });
}
