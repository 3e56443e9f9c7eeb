import { type DocumentReference } from '#shared/domain/document.ts';
import { formatRupees } from '#shared/domain/money.ts';
import type { PaidOut } from '#shared/domain/refund-payout.ts';
import type { Letter } from './letter.ts';
import { paper } from './document-texts.ts';
import { named, type PlanNamed } from './texts.ts';

interface Refund {
  refundId: string;
  amountPaise: number;
  paymentId: string;
}

export const bankTakes =
  'Banks normally need 5 to 7 working days to show it on the account or card that you paid from.';

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
      `We have started your refund of ${formatRupees(refund.amountPaise)}. ${isTransfer ? byTransfer : bankTakes}`,
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
      ...(isTransfer ? [['Refund', refund.refundId] satisfies [string, string]] : []),
    ],
    link: isTransfer ? support : billing,
  };
}

/** The payment provider refused a refund for good that was announced before. */
export function refundTurned(plan: PlanNamed, refund: Refund): Letter {
  return {
    subject: `We need your bank account for your refund of ${formatRupees(refund.amountPaise)}`,
    paragraphs: [
      `Your refund of ${formatRupees(refund.amountPaise)} could not be paid to the account or card that you paid from, so we transfer it to your bank account.`,
      needAccount,
    ],
    facts: [
      ['Plan', named(plan)],
      ['Payment', refund.paymentId],
      ['Refund', refund.refundId],
    ],
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
): Letter {
  const { utr } = refund;
  const transferred = 'We have transferred it to your bank account, which normally shows it within a day.';
  return {
    subject: `Refund completed: ${formatRupees(refund.amountPaise)} for ${named(plan)}`,
    paragraphs: [
      `Your refund of ${formatRupees(refund.amountPaise)} has been paid out. ${utr === null ? bankTakes : transferred}`,
      `If it has not arrived by then, contact your bank and quote the ${utr === null ? 'payment' : 'transfer'} above.`,
    ],
    facts: [
      ['Plan', named(plan)],
      ['Payment', refund.paymentId],
      ...(utr === null ? [] : [['Transfer (UTR)', utr] satisfies [string, string]]),
    ],
    link: billing,
  };
}
