import { Command } from 'commander';
import { rupeesArgument } from '#cli/arguments.ts';
import { act, type ActionOptions, commandFor } from '#cli/operator.ts';
import { renewalLines } from '#cli/renewal-effect.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { refundPayment } from '#shared/contract/operator/payments.ts';
import { titleOf } from '#shared/domain/document.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';

type Refund = OperatorReply<'refundPayment'>;

/** `octroi refund`. */
export function refundCommand(): Command {
  const command = new Command('refund').argument('<of>', 'a payment, an order, or the plan that it paid for');
  return commandFor(refundPayment, command)
    .description(
      'Refund a payment, or a part of it: all that is left, or an amount of one plan. The customer gets a mail with the credit note or refund voucher; a plan of which no money is left ends. The same command again refunds nothing; for the same amount again, give another reason.',
    )
    .option(
      '--amount <rupees>',
      'this much of the plan, such as 250 or 249.50; otherwise all that is left',
      rupeesArgument,
    )
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

async function refund(of: string, options: ActionOptions & { amount?: number }): Promise<void> {
  await act(refundPayment, { of, amount: options.amount }, options, {
    did: 'refunded',
    effect: describe,
    question: ({ amount }) => `Refund ${inRupees(amount)}?`,
    done,
    isDone: ({ already }) => already,
  });
}

const inRupees = (amount: number): string => formatRupees(toPaise(amount));

const waiting =
  'The customer’s bank disputes this payment: the money goes back when the dispute is decided, if it was not lost.';

const byTransfer =
  'Razorpay can’t pay it (the payment is more than six months old, the amount is below ₹1, or tax that was deducted at source is a part of it): transfer it from your bank account. The customer is asked for one; octroi refunds list shows it until you record the transfer.';

/** Does all of it lower a bill on credit terms, so that nothing is paid out? */
const isOffset = ({ cycles, amount }: Refund): boolean =>
  amount > 0 && cycles.reduce((sum, { offset }) => sum + toPaise(offset), 0) === toPaise(amount);

const wayOf = (refund: Refund): string => {
  if (isOffset(refund)) return 'Less is due of the bill; no money moves.';
  return isTransfer(refund) ? byTransfer : 'The running portal has Razorpay pay it out.';
};

/** What of a refund Razorpay can't pay. */
const isTransfer = ({ cycles }: Refund): boolean =>
  cycles.some(
    ({ payout, amount, withheld, offset, packs }) =>
      (payout === 'TRANSFER' && amount > withheld + offset) || packs.some((pack) => pack.isTransfer),
  );

/** What becomes of the packs that end with the plan, which were paid for on their own. */
function describePacks({ cycles }: Refund): string[] {
  return cycles
    .flatMap(({ packs }) => packs)
    .map(({ cycleId, name, amount, lost }) =>
      lost > 0
        ? `    Its pack ${name} (${cycleId}) ends with it, and ${inRupees(lost)} of it is not refunded. To refund it too: octroi refund ${cycleId}`
        : `    Its pack ${name} (${cycleId}) ends with it: ${inRupees(amount)} of the total is for it.`,
    );
}

function describe(plan: Refund): string[] {
  return [
    `${plan.paymentId} of ${plan.customerId}: ${inRupees(plan.amount)} will be refunded.`,
    ...plan.cycles.map(
      ({ cycleId, planName, amount, withheld, offset, left, paper, effect }) =>
        `  ${cycleId}  ${planName}  ${inRupees(amount)}${withheld > 0 ? ` (${inRupees(withheld)} of it as tax (TDS) that never came, and is not paid out)` : ''}${offset > 0 ? ` (${inRupees(offset)} of it lowers what is due of the bill, and is not paid out)` : ''} with a ${titleOf({ kind: paper }).toLowerCase()}, ${inRupees(left)} left; the plan ${effect}.`,
    ),
    ...describePacks(plan),
    ...renewalLines(plan),
    ...(isTransfer(plan) ? [byTransfer] : []),
    ...(plan.waitsForDispute ? [waiting] : []),
    'The customer gets a mail with the paper, and reads the reason.',
  ];
}

function done(refunded: Refund): string[] {
  const amount = inRupees(refunded.amount);
  const ids = refunded.refundIds.join(', ');
  return [
    refunded.already
      ? `${amount} of ${refunded.paymentId} was refunded for this reason before (${ids}); nothing was done.`
      : `${amount} of ${refunded.paymentId} is refunded (${ids}). ${wayOf(refunded)}`,
    ...describePacks(refunded),
    ...renewalLines(refunded),
    ...(refunded.waitsForDispute ? [waiting] : []),
  ];
}
