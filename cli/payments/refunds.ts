import { Command } from 'commander';
import { dayArgument, utrArgument } from '#cli/arguments.ts';
import { act, type ActionOptions, commandFor, show } from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { listUnpaidRefunds, recordTransfer, turnRefund } from '#shared/contract/operator/refunds.ts';
import type { Day } from '#shared/domain/day.ts';
import { dayOf } from '#shared/domain/day.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';
import { whyUnpaid } from '#shared/domain/why-unpaid.ts';

/** `octroi refunds …`: those that Razorpay can't pay, that a bank returned, or that are late. */
export function refundsCommands(): Command {
  const refunds = new Command('refunds').description(
    'Refunds that Razorpay refuses or can’t pay (of payments of more than six months, or below ₹1), that a bank returned, or that are not paid after a week: list them, and record their bank transfers.',
  );
  commandFor(listUnpaidRefunds, refunds.command('list'))
    .description(
      'List the refunds that wait for your bank transfer, that Razorpay refuses, that a bank returned, or that are not paid after a week, oldest first.',
    )
    .addHelpText('after', '\nExamples:\n  octroi refunds list\n  octroi refunds list --json')
    .action(list);
  commandFor(recordTransfer, refunds.command('transferred <refund>'))
    .description('Record the bank transfer of a refund: it is complete, and the customer gets a mail with the number.')
    .requiredOption('--utr <number>', 'the number of the transfer on your bank statement', utrArgument)
    .requiredOption('--on <day>', 'the day of the transfer, such as 2026-11-20', dayArgument)
    .addHelpText(
      'after',
      '\nExample:\n  octroi refunds transferred RFD-7K2M9QX4TB01 --utr SBIN326015123456 --on 2026-11-20 --reason "Paid by NEFT"',
    )
    .action(transferred);
  commandFor(turnRefund, refunds.command('by-transfer <refund>'))
    .description(
      'Turn a refund that Razorpay refuses or a bank returned into a bank transfer: Razorpay is not asked any more, and the customer is asked for a bank account.',
    )
    .addHelpText('after', '\nExample:\n  octroi refunds by-transfer RFD-7K2M9QX4TB01 --reason "The card is closed"')
    .action(byTransfer);
  return refunds;
}

async function list(options: { json?: boolean }): Promise<void> {
  await show(listUnpaidRefunds, {}, options, (refunds) =>
    refunds.length === 0
      ? ['No refund waits for a transfer, is refused, was returned or is late.']
      : refunds.flatMap(linesOf),
  );
}

function linesOf(refund: OperatorReply<'listUnpaidRefunds'>[number]): string[] {
  const { id, amount, withheld, payout, startedAt, customerId, customerName, customerEmail, paymentId } = refund;
  const stopped = refund.refusal === null ? 'returned by a bank' : 'refused by Razorpay';
  const unpaid = refund.isLate ? 'not paid by Razorpay for a week' : stopped;
  const owed = payout === 'TRANSFER' ? 'to transfer' : unpaid;
  const why = whyUnpaid(refund);
  const state = refund.waitsForDispute ? `${owed}, once the dispute of its payment is decided` : owed;
  return [
    `${id}  ${state}  ${formatRupees(toPaise(amount))}  since ${dayOf(Date.parse(startedAt))}`,
    `  to ${customerName} (${customerId}, ${customerEmail}), of ${paymentId}: ${refund.reason}`,
    ...(withheld > 0
      ? [`  ${formatRupees(toPaise(withheld))} more were withheld as tax (TDS) and never came: don’t pay them out.`]
      : []),
    ...(why === '' ? [] : [`  ${why}`]),
  ];
}

const describe = ({ id, customerId, amount, paymentId, reason }: OperatorReply<'turnRefund'>): string =>
  `${id} of ${customerId}: ${formatRupees(toPaise(amount))} of ${paymentId} (${reason})`;

const transferred = (refundId: string, options: ActionOptions & { utr: string; on: Day }): Promise<void> =>
  act(recordTransfer, { refundId, utr: options.utr, on: options.on }, options, {
    did: 'recorded',
    effect: (refund) => [`${describe(refund)}, by transfer ${refund.utr} of ${refund.on}`],
    question: 'Record it?',
    done: ({ id }) => [`${id} is complete; the customer gets a mail with the number of the transfer.`],
  });

const byTransfer = (refundId: string, options: ActionOptions): Promise<void> =>
  act(turnRefund, { refundId }, options, {
    did: 'turned',
    effect: (refund) => [describe(refund)],
    question: 'Pay it by bank transfer?',
    done: ({ id }) => [`${id} waits for your transfer; the customer is asked for a bank account.`],
  });
