import { Command } from 'commander';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect, withActionOptions } from '#cli/operator.ts';
import { titleOf } from '#domain/document.ts';
import { formatRupees, rupees, toPaise } from '#domain/money.ts';
import { asOperator } from '#server/operator-context.ts';
import { makeRefund, previewRefund, type RefundPlan, type RefundResult } from '#server/operator/refunds.ts';

/** `octroi refund`. */
export function refundCommand(): Command {
  return withActionOptions(new Command('refund').argument('<of>', 'a payment, an order, or the plan that it paid for'))
    .description(
      'Refund a payment, or a part of it: all that is left, or an amount of one plan. The customer gets a mail with the credit note or refund voucher; a plan of which no money is left ends. The same command again refunds nothing; for the same amount again, give another reason.',
    )
    .option('--amount <rupees>', 'this much of the plan, such as 250 or 249.50; otherwise all that is left')
    .addHelpText(
      'after',
      `
Exit codes: 0 refunded, or refunded before by the same command; 1 not refunded, the message says why; 2 wrong command line.

Examples:
  octroi refund pay_N8FUmetkCE2hZP --reason "The API was down for two days" --dry-run
  octroi refund CYC-7K2M9QX4TB01 --amount 250 --reason "Goodwill for the outage of 3 May"
  octroi refund order_N8FRN5zTm5S3wx --reason "Ordered twice by mistake" --yes --json`,
    )
    .action(refund);
}

async function refund(of: string, options: ActionOptions & { amount?: string }): Promise<void> {
  const order = { of, reason: options.reason, amountPaise: paiseOf(options.amount) };
  await asOperator(async (operator) => {
    const plan = await previewRefund(operator, order);
    if ('already' in plan) return print(plan, options);
    const lines = describe(plan);
    if (options.dryRun === true) return printResult(options.json, { refunded: false, ...onWire(plan) }, lines);
    showEffect(lines, options);
    await confirm(`Refund ${formatRupees(plan.totalPaise)}?`, options);
    return print(await makeRefund(operator, order, causeOf(options).actor), options);
  });
}

function paiseOf(amount: string | undefined): number | undefined {
  if (amount === undefined) return undefined;
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(amount))
    throw new CommandFailed(`--amount ${amount} is not an amount in rupees, such as 250 or 249.50.`, exitCodes.usage);
  return toPaise(Number(amount));
}

function onWire({ paymentId, customerId, totalPaise, cycles, waitsForDispute }: RefundPlan) {
  return {
    paymentId,
    customerId,
    amount: rupees(totalPaise),
    cycles: cycles.map(({ amountPaise, leftPaise, packs, endsCycle: _ends, ...cycle }) => ({
      ...cycle,
      amount: rupees(amountPaise),
      left: rupees(leftPaise),
      packs: packs.map(({ amountPaise: backPaise, lostPaise, ...pack }) => ({
        ...pack,
        amount: rupees(backPaise),
        lost: rupees(lostPaise),
      })),
    })),
    waitsForDispute,
  };
}

const waiting =
  'The customer’s bank disputes this payment: the money goes back when the dispute is decided, if it was not lost.';

const byTransfer =
  'Razorpay can’t pay it (the payment is more than six months old, the amount is below ₹1, or tax that was deducted at source is a part of it): transfer it from your bank account. The customer is asked for one; octroi refunds list shows it until you record the transfer.';

/** What of a refund Razorpay can't pay. */
const isTransfer = ({ cycles }: RefundPlan): boolean =>
  cycles.some(({ payout, packs }) => payout === 'TRANSFER' || packs.some((pack) => pack.isTransfer));

/** What becomes of the packs that end with the plan, which were paid for on their own. */
function describePacks({ cycles }: RefundPlan): string[] {
  return cycles
    .flatMap(({ packs }) => packs)
    .map(({ cycleId, name, amountPaise, lostPaise }) =>
      lostPaise > 0
        ? `    Its pack ${name} (${cycleId}) ends with it, and ${formatRupees(lostPaise)} of it is not refunded. To refund it too: octroi refund ${cycleId}`
        : `    Its pack ${name} (${cycleId}) ends with it: ${formatRupees(amountPaise)} of the total is for it.`,
    );
}

function describe(plan: RefundPlan): string[] {
  return [
    `${plan.paymentId} of ${plan.customerId}: ${formatRupees(plan.totalPaise)} will be refunded.`,
    ...plan.cycles.map(
      ({ cycleId, planName, amountPaise, leftPaise, paper, effect }) =>
        `  ${cycleId}  ${planName}  ${formatRupees(amountPaise)} with a ${titleOf({ kind: paper }).toLowerCase()}, ${formatRupees(leftPaise)} left; the plan ${effect}.`,
    ),
    ...describePacks(plan),
    ...(isTransfer(plan) ? [byTransfer] : []),
    ...(plan.waitsForDispute ? [waiting] : []),
    'The customer gets a mail with the paper, and reads the reason.',
  ];
}

function print(result: RefundResult, { json }: ActionOptions): void {
  const amount = formatRupees(result.totalPaise);
  const ids = result.refundIds.join(', ');
  const { already, refundIds, effectiveBy } = result;
  printResult(json, { refunded: true, already, refundIds, effectiveBy, ...onWire(result) }, [
    already
      ? `${amount} of ${result.paymentId} was refunded for this reason before (${ids}); nothing was done.`
      : `${amount} of ${result.paymentId} is refunded (${ids}). ${isTransfer(result) ? byTransfer : 'The running portal has Razorpay pay it out.'}`,
    ...describePacks(result),
    ...(result.waitsForDispute ? [waiting] : []),
  ]);
}
