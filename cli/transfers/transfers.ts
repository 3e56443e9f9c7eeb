import { Command } from 'commander';
import { dayArgument, rupeesArgument, utrArgument } from '#cli/arguments.ts';
import { act, type ActionOptions, commandFor, show } from '#cli/operator.ts';
import {
  type HeldTransfer,
  listHeldTransfers,
  recordReceivedTransfer,
  refundTransfer,
  settleTransfer,
} from '#shared/contract/operator/transfers.ts';
import type { Day } from '#shared/domain/day.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';

const money = (amount: number): string => formatRupees(toPaise(amount));

/** `octroi transfers …`: what customers paid by bank transfer, and the portal can't decide. */
export function transfersCommands(): Command {
  const transfers = new Command('transfers').description(
    'Payments by bank transfer: those that are held, as each is less than what is due by what may be tax (TDS) that its customer has not declared, or has a number that is recorded as that of other money, and those to your own account.',
  );
  commandFor(listHeldTransfers, transfers.command('list'))
    .description('List the bank transfers that are held, oldest first.')
    .addHelpText('after', '\nExamples:\n  octroi transfers list\n  octroi transfers list --json')
    .action((options: { json?: boolean }) =>
      show(listHeldTransfers, {}, options, (held) =>
        held.length === 0 ? ['No bank transfer is held.'] : held.flatMap(linesOf),
      ).then(() => undefined),
    );
  commandFor(settleTransfer, transfers.command('settle <payment>'))
    .description('Let a held transfer pay: what it is less than is due is tax (TDS), receivable from the Government.')
    .addHelpText(
      'after',
      '\nExample:\n  octroi transfers settle pay_Q5Nc8sJ2hVd1Xk --reason "Its accounts department wrote"',
    )
    .action((paymentId: string, options: ActionOptions) =>
      act(settleTransfer, { paymentId }, options, {
        did: 'settled',
        effect: (held) => [
          ...linesOf(held),
          held.tds === 0
            ? `  It pays for ${held.planName}.`
            : `  It pays for ${held.planName}, and ${money(held.tds)} become receivable from the Government; the customer is asked for the certificate.`,
        ],
        question: 'Does it pay?',
        done: (held) => [
          `${held.paymentId} has paid for ${held.planName}${held.tds === 0 ? '.' : `; ${money(held.tds)} are receivable.`}`,
        ],
      }),
    );
  commandFor(refundTransfer, transfers.command('refund <payment>'))
    .description('Give all of a held transfer back. What is due stays unpaid.')
    .addHelpText(
      'after',
      '\nExample:\n  octroi transfers refund pay_Q5Nc8sJ2hVd1Xk --reason "No tax is deducted from it"',
    )
    .action((paymentId: string, options: ActionOptions) =>
      act(refundTransfer, { paymentId }, options, {
        did: 'refunded',
        effect: linesOf,
        question: 'Give it back?',
        done: (held) => [`${money(held.amount)} of ${held.paymentId} go back to the customer, who gets a mail.`],
      }),
    );
  commandFor(recordReceivedTransfer, transfers.command('record <bill>'))
    .description(
      'Record a transfer to your own bank account that pays a bill (an order, or a plan that it is for): exactly what is due, or that less TDS.',
    )
    .requiredOption('--amount <rupees>', 'what came', rupeesArgument)
    .requiredOption('--utr <number>', 'the number of the transfer on your bank statement', utrArgument)
    .requiredOption('--on <day>', 'the day on which it came, such as 2026-11-20', dayArgument)
    .addHelpText(
      'after',
      '\nExample:\n  octroi transfers record ORD-7K2M9QX4TB01 --amount 1499 --utr SBIN326015123456 --on 2026-11-20 --reason "On the statement of November"',
    )
    .action((of: string, options: ActionOptions & { amount: number; utr: string; on: Day }) =>
      act(recordReceivedTransfer, { of, amount: options.amount, utr: options.utr, on: options.on }, options, {
        did: 'recorded',
        effect: (bill) => [
          `${money(bill.amount)} of ${bill.customer} (${bill.customerId}), UTR ${bill.utr} of ${bill.on}, pay for ${bill.planName} (${bill.orderId ?? 'its order is made now'})`,
          ...(bill.percent === null
            ? []
            : [
                `  ${money(bill.tds)} less than ${money(bill.due)}: TDS at ${bill.percent} %, which becomes receivable`,
              ]),
        ],
        question: 'Record it?',
        done: (bill) => [
          `${bill.paymentId ?? ''} has paid for ${bill.planName}; the customer gets the documents by mail.`,
        ],
      }),
    );
  return transfers;
}

const linesOf = (held: HeldTransfer): string[] => [
  `${held.paymentId}  ${money(held.amount)} of ${money(held.due)}  since ${held.heldOn}  UTR ${held.utr}`,
  `  of ${held.customer} (${held.customerId}), for ${held.planName} (${held.orderId})${held.percent === null ? '' : `: ${money(held.tds)} less, which is TDS at ${held.percent} %`}`,
  ...(held.stopsOn === null
    ? []
    : [`  Calls of the plan are refused from ${held.stopsOn} on, while its bill is not paid.`]),
  ...(held.recordedAs === null
    ? []
    : [`  Its number is that of ${held.recordedAs}. Compare with the statement of your bank: docs/operating/money.md`]),
];
