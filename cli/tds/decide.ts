import { act, type ActionOptions } from '#cli/operator.ts';
import { type AcceptedClaim, acceptTds, type ListedClaim, refuseTds } from '#shared/contract/operator/tds.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';

const about = ({ id, amount, invoice, customer, quarter, tan }: ListedClaim): string[] => [
  `${id}: TDS of ${formatRupees(toPaise(amount))} on ${invoice} of ${customer}, ${quarter}, TAN ${tan}`,
];

function paidBack({ amount, refund, payout, offset, settles }: AcceptedClaim): string {
  if (settles !== null) return `the held bank transfer ${settles} pays the bill less this tax.`;
  if (offset > 0) {
    const less = `${formatRupees(toPaise(offset))} less is due of the bill`;
    return refund === 0 ? `${less}.` : `${less}, and ${refunded({ refund, payout })}`;
  }
  return refund === 0
    ? `nothing is refunded: the ${formatRupees(toPaise(amount))} were withheld from the bank transfer, and are receivable since.`
    : refunded({ refund, payout });
}

const refunded = ({ refund, payout }: Pick<AcceptedClaim, 'refund' | 'payout'>): string =>
  `${formatRupees(toPaise(refund))} ${payout === 'TRANSFER' ? 'is to be transferred from your bank account, as Razorpay can’t pay it; octroi refunds list shows it until you record the transfer' : 'is refunded to the customer'}.`;

export const acceptClaim = (claimId: string, options: ActionOptions): Promise<void> =>
  act(acceptTds, { claimId }, options, {
    did: 'decided',
    effect: (claim) => [...about(claim), `  When it is accepted, ${paidBack(claim)}`],
    question: 'Accept it?',
    done: (claim) => [`${claim.id} is accepted; ${paidBack(claim)}`],
  });

export const refuseClaim = (claimId: string, options: ActionOptions): Promise<void> =>
  act(refuseTds, { claimId }, options, {
    did: 'decided',
    effect: about,
    question: 'Refuse it?',
    done: ({ id }) => [`${id} is refused.`],
  });
