import { formatRupees } from '#shared/domain/money.ts';
import type { RefundPayout } from '#shared/domain/refund-payout.ts';
import type { Letter } from './letter.ts';
import { bankTakes, byTransfer, needAccount, support } from './refund-texts.ts';
import type { TransferPaid } from './transfer-of.ts';

interface Claim {
  claimId: string;
  invoice: string;
  quarter: string;
  amountPaise: number;
}

const factsOf = ({ claimId, invoice, quarter, amountPaise }: Claim): [string, string][] => [
  ['Claim', claimId],
  ['Invoice', invoice],
  ['Quarter', quarter],
  ['TDS', formatRupees(amountPaise)],
];
const link = { label: 'See your billing history', path: '/billing' };

/** To the operator: a claim about tax deducted at source waits for a decision. */
export function tdsDeclared(
  claim: Claim & { tan: string },
  from: { customerId: string; name: string; email: string },
): Letter {
  return {
    subject: `TDS declared: ${formatRupees(claim.amountPaise)} on ${claim.invoice}`,
    paragraphs: [
      `${from.name} has declared tax deducted at source with a certificate. Compare the certificate with the claim and with Form 26AS, then accept or refuse it.`,
      `The commands are: octroi tds certificate ${claim.claimId}, tds accept ${claim.claimId} --reason "…", and tds refuse ${claim.claimId} --reason "…".`,
    ],
    facts: [...factsOf(claim), ['TAN', claim.tan], ['Customer', `${from.customerId}, ${from.email}`]],
  };
}

export function tdsAccepted(
  claim: Claim & { paymentId: string; payout: RefundPayout; refundPaise?: number; offsetPaise?: number },
  transfer: TransferPaid | undefined,
): Letter {
  const isTransfer = claim.payout === 'TRANSFER';
  if (claim.payout === 'WITHHELD')
    return {
      subject: `TDS certificate accepted: ${formatRupees(claim.amountPaise)} on ${claim.invoice}`,
      paragraphs: [
        `We have accepted your TDS certificate for the ${formatRupees(claim.amountPaise)} that you deducted from your bank transfer. Nothing is left to do.`,
      ],
      facts: [...factsOf(claim), ['Payment', claim.paymentId]],
      link,
    };
  if (claim.payout === 'OFFSET')
    return {
      subject: `TDS accepted: ${formatRupees(claim.amountPaise)} on ${claim.invoice}`,
      paragraphs: [
        `We have accepted your TDS certificate. The bill is not paid yet, and ${formatRupees(claim.offsetPaise ?? claim.amountPaise)} less is due of it now.`,
      ],
      facts: factsOf(claim),
      link,
    };
  const { offsetPaise = 0 } = claim;
  return {
    subject: `TDS accepted: ${formatRupees(claim.amountPaise)} on ${claim.invoice}`,
    paragraphs: [
      ...(offsetPaise === 0
        ? []
        : [`Your bill was not paid in full: ${formatRupees(offsetPaise)} less is due of it now.`]),
      `We have accepted your TDS certificate and started a refund of ${formatRupees(claim.refundPaise ?? claim.amountPaise)}. ${isTransfer ? byTransfer : bankTakes(transfer)}`,
      `Your invoice stays as it is. ${isTransfer ? needAccount : 'We will write again when the refund is complete.'}`,
    ],
    facts: [...factsOf(claim), ['Payment', claim.paymentId]],
    link: isTransfer ? support : link,
  };
}

export function tdsRefused(claim: Claim & { reason: string }): Letter {
  return {
    subject: `TDS not accepted: ${formatRupees(claim.amountPaise)} on ${claim.invoice}`,
    paragraphs: [
      'We could not accept your TDS certificate, for the reason below. Nothing was refunded, and your plan stays as it is.',
      'You can declare it again with a corrected certificate on the Billing Portal.',
    ],
    facts: [...factsOf(claim), ['Reason', claim.reason]],
    link,
  };
}
