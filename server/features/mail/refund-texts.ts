import { type DocumentReference } from '#shared/domain/document.ts';
import { formatRupees } from '#shared/domain/money.ts';
import type { PaidOut } from '#shared/domain/refund-payout.ts';
import type { Letter } from './letter.ts';
import { paper } from './document-texts.ts';
import { named, type PlanNamed, toPay, whoMayPay } from './texts.ts';
import type { TransferPaid } from './transfer-of.ts';

interface Refund {
  refundId: string;
  amountPaise: number;
  paymentId: string;
}

/** `transfer`: the bank transfer that was the payment. */
export const bankTakes = (transfer: TransferPaid | undefined): string =>
  `Banks normally need 5 to 7 working days to show it on the ${paidFrom(transfer)}.`;
const paidFrom = (transfer: TransferPaid | undefined) =>
  transfer ? 'account that you transferred it from' : 'account or card that you paid from';
const utrOf = (transfer: TransferPaid | undefined): [string, string][] =>
  transfer ? [['Bank transfer (UTR)', transfer.utr]] : [];

/** Why a refund is paid by bank transfer, and what the customer has to do. */
export const byTransfer =
  'It can’t go back the way you paid: banks take such refunds for six months after the payment, of at least ₹1, and up to what is left of the payment. So we transfer it to your bank account.';
export const needAccount =
  'Please send us the account holder’s name, the account number and the IFSC in a message to support. We will write again when the transfer is made.';
const billing = { label: 'See your billing history', path: '/billing' };
export const support = { label: 'Send us your bank account', path: '/support' };

/** `document`: the attached refund voucher or credit note; null when the money never paid for a plan. */
export function refundStarted(
  plan: PlanNamed,
  refund: Refund & {
    reason: string;
    document: DocumentReference | null;
    payout: PaidOut;
    offsetPaise?: number;
    withheldPaise?: number;
    taxPaidBeforePaise?: number;
  },
  transfer: TransferPaid | undefined,
): Letter {
  const { document, payout, amountPaise, withheldPaise = 0, offsetPaise = 0, taxPaidBeforePaise = 0 } = refund;
  const isNothing = amountPaise === 0;
  const isTransfer = payout === 'TRANSFER' && !isNothing;
  const attached = document ? `The ${paper(document)} is attached. ` : '';
  const withheld: string[] =
    withheldPaise === 0
      ? []
      : [
          `${document ? 'It is over' : 'We also cancel'} ${formatRupees(withheldPaise)} more, which you had deducted from your bank transfer as tax (TDS). That never came to us, so we don’t pay it out. If you have paid it to the Government, correct your TDS statement${document?.kind === 'REFUND_VOUCHER' ? '' : ', or send us the certificate'}.`,
        ];
  if (taxPaidBeforePaise > 0)
    withheld.push(
      `It counts ${formatRupees(taxPaidBeforePaise)} that we had refunded to you before as tax (TDS): you have that already.`,
    );
  if (isNothing)
    return {
      subject: `Nothing is left to refund for ${named(plan)}`,
      paragraphs: [`All that you paid had gone back before. ${attached}`.trim(), ...withheld],
      facts: [
        ['Plan', named(plan)],
        ['Reason', refund.reason],
        ['Payment', refund.paymentId],
      ],
      link: billing,
    };
  if (payout === 'OFFSET')
    return {
      subject: `Less to pay: ${formatRupees(refund.amountPaise)} for ${named(plan)}`,
      paragraphs: [
        `Your bill for this plan is not paid yet, and ${formatRupees(refund.amountPaise)} less is due of it now. No money moves.`,
        `${attached}You don’t need to do anything.`,
        ...withheld,
      ],
      facts: [
        ['Plan', named(plan)],
        ['Reason', refund.reason],
      ],
      link: billing,
    };
  return {
    subject: `Refund started: ${formatRupees(refund.amountPaise)} for ${named(plan)}`,
    paragraphs: [
      `We have started your refund of ${formatRupees(refund.amountPaise)}. ${isTransfer ? byTransfer : bankTakes(transfer)}`,
      ...(offsetPaise > 0
        ? [`${formatRupees(offsetPaise)} more lower your bill for this plan, of which nothing is due any more.`]
        : []),
      `${attached}${isTransfer ? needAccount : 'You don’t need to do anything. We will write again when the refund is complete.'}`,
      ...withheld,
    ],
    facts: [
      ['Plan', named(plan)],
      ['Reason', refund.reason],
      ...(withheldPaise > 0 ? [['Deducted as tax (TDS)', formatRupees(withheldPaise)] satisfies [string, string]] : []),
      ['Payment', refund.paymentId],
      ...utrOf(transfer),
      ...(isTransfer ? [['Refund', refund.refundId] satisfies [string, string]] : []),
    ],
    link: isTransfer ? support : billing,
  };
}

/** A bank transfer of another amount than is still due. `payPath`: of what is still to be paid. */
export function wrongAmount(
  plan: PlanNamed,
  refund: Refund & { payout: PaidOut },
  { utr, duePaise, tdsPercent }: { utr: string } & NonNullable<TransferPaid['wrong']>,
  payPath: string,
): Letter {
  const [amount, due] = [formatRupees(refund.amountPaise), duePaise === undefined ? null : formatRupees(duePaise)];
  const isTransfer = refund.payout === 'TRANSFER';
  const exactly = `exactly ${due}${tdsPercent === null ? '' : `, or that less the tax (TDS) of ${tdsPercent}% that you have declared,`}`;
  return {
    subject: `Not paid yet: your bank transfer of ${amount} for ${named(plan)}`,
    paragraphs: [
      `We received ${amount} by bank transfer, which is not the amount due, so it pays for nothing. ${isTransfer ? `It goes back to you. ${needAccount}` : 'It goes back to the account that it came from, which normally takes 5 to 7 working days.'}`,
      `${due === null ? 'The page below says how much is due.' : `Please transfer ${exactly} to the same account number, or pay on the page below.`}${whoMayPay(payPath)}`,
    ],
    facts: [
      ['Plan', named(plan)],
      ['Transferred', amount],
      ...(due === null ? [] : ([['Due', due]] satisfies [string, string][])),
      ['Bank transfer (UTR)', utr],
      ['Payment', refund.paymentId],
      ...(isTransfer ? [['Refund', refund.refundId] satisfies [string, string]] : []),
    ],
    link: toPay(plan, payPath),
  };
}

/** The payment provider refused a refund for good that was announced before. */
export function refundTurned(plan: PlanNamed, refund: Refund, transfer: TransferPaid | undefined): Letter {
  return {
    subject: `We need your bank account for your refund of ${formatRupees(refund.amountPaise)}`,
    paragraphs: [
      `Your refund of ${formatRupees(refund.amountPaise)} could not be paid to the ${paidFrom(transfer)}, so we transfer it to your bank account.`,
      needAccount,
    ],
    facts: [['Plan', named(plan)], ['Payment', refund.paymentId], ...utrOf(transfer), ['Refund', refund.refundId]],
    link: support,
  };
}

/** To the operator. */
export function transferDue(
  refund: Refund & { reason: string },
  customer: { customerId: string; name: string; email: string },
): Letter {
  const { refundId } = refund;
  return {
    subject: `Refund to transfer: ${formatRupees(refund.amountPaise)} to ${customer.name}`,
    paragraphs: [
      'Razorpay can’t pay this refund: the payment is more than six months old, the amount is below ₹1, Razorpay refused it, or a bank returned it. We asked the customer for a bank account in a message to support.',
      `Transfer the amount from your bank account, then record it: octroi refunds transferred ${refundId} --utr UTR --on DAY --reason "…". Until then it is in octroi refunds list.`,
    ],
    facts: [
      ['Refund', refundId],
      ['Amount', formatRupees(refund.amountPaise)],
      ['Reason', refund.reason],
      ['Payment', refund.paymentId],
      ['Customer', `${customer.customerId}, ${customer.email}`],
    ],
  };
}

/** `utr`: the number of the bank transfer; null when it went back the way it was paid. */
export function refundDone(
  plan: PlanNamed,
  refund: { amountPaise: number; paymentId: string; utr: string | null },
  transfer: TransferPaid | undefined,
): Letter {
  const { utr } = refund;
  const transferred = 'We have transferred it to your bank account, which normally shows it within a day.';
  // The number of a payment at the provider is unknown to the customer's bank.
  const isKnownToBank = utr !== null || transfer !== undefined;
  return {
    subject: `Refund completed: ${formatRupees(refund.amountPaise)} for ${named(plan)}`,
    paragraphs: [
      `Your refund of ${formatRupees(refund.amountPaise)} has been paid out. ${utr === null ? bankTakes(transfer) : transferred}`,
      `If it has not arrived by then, ${isKnownToBank ? 'contact your bank and quote the UTR above' : 'write to us and name the payment above'}.`,
    ],
    facts: [
      ['Plan', named(plan)],
      ['Payment', refund.paymentId],
      ...(utr === null ? utrOf(transfer) : [['Transfer (UTR)', utr] satisfies [string, string]]),
    ],
    link: billing,
  };
}
