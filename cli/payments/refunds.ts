import { Command, InvalidArgumentError } from 'commander';
import { dayArgument } from '#cli/arguments.ts';
import { printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect, withActionOptions } from '#cli/operator.ts';
import type { Day } from '#domain/day.ts';
import { dayOf } from '#domain/day.ts';
import { formatRupees, rupees } from '#domain/money.ts';
import { readUtr } from '#domain/refund-payout.ts';
import { listUnpaidRefunds, type UnpaidRefund } from '#server/features/refunds/refunds.ts';
import { asOperator, asReader } from '#server/operator-context.ts';
import {
  describeRefund,
  openOf,
  previewTransfer,
  previewTurn,
  recordTransfer,
  turnRefund,
} from '#server/operator/transfers.ts';

/** `octroi refunds …`: those that Razorpay can't pay. */
export function refundsCommands(): Command {
  const refunds = new Command('refunds').description(
    'Refunds that Razorpay refuses or can’t pay (of payments of more than six months, or below ₹1): list them, and record their bank transfers.',
  );
  refunds
    .command('list')
    .description('List the refunds that wait for your bank transfer, and those that Razorpay refuses, oldest first.')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', '\nExamples:\n  octroi refunds list\n  octroi refunds list --json')
    .action(list);
  withActionOptions(
    refunds
      .command('transferred <refund>')
      .description(
        'Record the bank transfer of a refund: it is complete, and the customer gets a mail with the number.',
      )
      .requiredOption('--utr <number>', 'the number of the transfer on your bank statement', utrArgument)
      .requiredOption('--on <day>', 'the day of the transfer, such as 2026-11-20', dayArgument),
  )
    .addHelpText(
      'after',
      '\nExample:\n  octroi refunds transferred RFD-7K2M9QX4TB01 --utr SBIN326015123456 --on 2026-11-20 --reason "Paid by NEFT"',
    )
    .action(transferred);
  withActionOptions(
    refunds
      .command('by-transfer <refund>')
      .description(
        'Turn a refund that Razorpay refuses into a bank transfer: Razorpay is not asked any more, and the customer is asked for a bank account.',
      ),
  )
    .addHelpText('after', '\nExample:\n  octroi refunds by-transfer RFD-7K2M9QX4TB01 --reason "The card is closed"')
    .action(byTransfer);
  return refunds;
}

function utrArgument(text: string): string {
  const utr = readUtr(text);
  if (utr === undefined)
    throw new InvalidArgumentError(`${text} is not the number of a transfer: 6 to 30 letters and digits.`);
  return utr;
}

async function list({ json }: { json?: boolean }): Promise<void> {
  const refunds = await asReader(listUnpaidRefunds);
  const lines = refunds.length === 0 ? ['No refund waits for a transfer or is refused.'] : refunds.flatMap(linesOf);
  printResult(json, refunds.map(onWire), lines);
}

function linesOf(refund: UnpaidRefund): string[] {
  const { id, amountPaise, payout, startedAt, customerId, customerName, customerEmail, paymentId } = refund;
  const owed = payout === 'TRANSFER' ? 'to transfer' : 'refused by Razorpay';
  const state = refund.waitsForDispute ? `${owed}, once the dispute of its payment is decided` : owed;
  return [
    `${id}  ${state}  ${formatRupees(amountPaise)}  since ${dayOf(startedAt.getTime())}`,
    `  to ${customerName} (${customerId}, ${customerEmail}), of ${paymentId}: ${refund.reason}`,
    ...(refund.refusal === null ? [] : [`  ${refund.refusal}`]),
  ];
}

const onWire = ({ amountPaise, ...refund }: UnpaidRefund) => ({ ...refund, amount: rupees(amountPaise) });

async function transferred(id: string, options: ActionOptions & { utr: string; on: Day }): Promise<void> {
  const transfer = { utr: options.utr, on: options.on };
  await asOperator(async (operator) => {
    const refund = await previewTransfer(operator, id, transfer);
    const about = `${describeRefund(refund)}, by transfer ${transfer.utr} of ${transfer.on}`;
    if (options.dryRun === true)
      return printResult(options.json, { recorded: false, id, ...transfer }, [about, 'Nothing was changed.']);
    showEffect([about], options);
    await confirm('Record it?', options);
    const { customer_id: customerId } = await recordTransfer(operator, id, transfer, causeOf(options));
    return printResult(options.json, { recorded: true, id, customerId, ...transfer, amount: rupees(openOf(refund)) }, [
      `${id} is complete; the customer gets a mail with the number of the transfer.`,
    ]);
  });
}

async function byTransfer(id: string, options: ActionOptions): Promise<void> {
  await asOperator(async (operator) => {
    const refund = await previewTurn(operator, id);
    const about = describeRefund(refund);
    if (options.dryRun === true)
      return printResult(options.json, { turned: false, id }, [about, 'Nothing was changed.']);
    showEffect([about], options);
    await confirm('Pay it by bank transfer?', options);
    await turnRefund(operator, id, causeOf(options));
    return printResult(options.json, { turned: true, id, amount: rupees(openOf(refund)) }, [
      `${id} waits for your transfer; the customer is asked for a bank account.`,
    ]);
  });
}
