import { Command } from 'commander';
import { act, type ActionOptions, commandFor, show } from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { PayLinkState } from '#shared/contract/pay-links.ts';
import { endPayLinks, findPayLink } from '#shared/contract/operator/pay-links.ts';
import { formatMoney, toPaise } from '#shared/domain/money.ts';

/** `octroi pay-links …`: links by which anybody pays for a customer. */
export function payLinksCommands(): Command {
  const links = new Command('pay-links').description(
    'Links by which anybody can pay for a customer, without an account.',
  );
  commandFor(findPayLink, links.command('show <id>'))
    .description('Print the link for an unpaid plan or pack, or for the unpaid plans of an activation.')
    .addHelpText('after', '\nExample:\n  octroi pay-links show ACT-7K2M9QX4TB01')
    .action((id: string, options: { json?: boolean }) =>
      show(findPayLink, { id }, options, linesOf).then(() => undefined),
    );
  commandFor(endPayLinks, links.command('end <activation>'))
    .description('End the links that were given out so far, also those in mails. Another one can be printed at once.')
    .addHelpText(
      'after',
      `
Exit codes: 0 ended; 1 not ended, the message says why; 2 wrong command line.

Example:
  octroi pay-links end ACT-7K2M9QX4TB01 --reason "Sent to the wrong company" --yes`,
    )
    .action((activationId: string, options: ActionOptions) =>
      act(endPayLinks, { activationId }, options, {
        did: 'ended',
        effect: describe,
        question: 'End these links?',
        done: ({ activationId: id }) => [`The pay links of ${id} so far are ended.`],
      }),
    );
  return links;
}

/** Why a link can't be paid at the moment. One that is printed is never paid, withdrawn or replaced, save by somebody at the same time. */
const whyNotNow: Readonly<Record<Exclude<PayLinkState, 'OPEN'>, string>> = {
  CONFIRMING: 'a payment is being confirmed or held (octroi transfers list), or the customer is in a checkout',
  DEBITED: 'a debit at the bank may pay for its days',
  PAID: 'it was paid just now',
  WITHDRAWN: 'the links were ended just now',
  REPLACED: 'what it is for was removed, or needs a plan that runs',
  CHANGED: 'the offer has changed, and the customer has to add the plan again',
  UNAVAILABLE: 'the customer is blocked, or the business details don’t do for an invoice',
};

function linesOf({ url, state, plans }: OperatorReply<'findPayLink'>): string[] {
  return [
    url,
    ...(state === 'OPEN' ? [] : [`It can’t be paid now: ${whyNotNow[state]}.`]),
    ...plans.map(
      ({ cycleId, planName, fromDate, toDate, price }) =>
        `  ${cycleId}  ${planName}  ${fromDate} to before ${toDate}  ${formatMoney(toPaise(price), 'INR')}`,
    ),
    'Whoever has it sees the amount, GST and purchase order, and can pay until it is paid, replaced or ended.',
  ];
}

function describe({ activationId, customerId, unpaid }: OperatorReply<'endPayLinks'>): string[] {
  return [
    `${activationId} of ${customerId}: the pay links given out so far end, also those in mails.`,
    `${unpaid === 1 ? '1 subscription waits' : `${unpaid} subscriptions wait`} for payment, and can be paid by a new link or by the customer.`,
  ];
}
