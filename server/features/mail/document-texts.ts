import { longDay } from '#shared/domain/day-text.ts';
import { type DocumentReference, titleOf } from '#shared/domain/document.ts';
import { formatRupees } from '#shared/domain/money.ts';
import type { Letter } from './letter.ts';

export const paper = (document: DocumentReference) => `${titleOf(document).toLowerCase()} ${document.number}`;

/** Which money a replaced invoice moves: tax that was added to the price and is no longer due goes back. */
const moneyMoved = (refundPaise: number) =>
  refundPaise === 0
    ? 'No money has moved.'
    : `Tax of ${formatRupees(refundPaise)} is no longer due, and we refund it to you.`;

/** For a correction of the buyer's details; the new invoice is attached. */
export function invoiceCorrected({
  replaced,
  creditNote,
  invoice,
  refundPaise,
}: {
  replaced: DocumentReference;
  creditNote: DocumentReference;
  invoice: DocumentReference;
  refundPaise: number;
}): Letter {
  return {
    subject: `Corrected invoice ${invoice.number}`,
    paragraphs: [
      `${titleOf(replaced)} ${replaced.number} of ${longDay(replaced.issuedOn)} was replaced, because the buyer’s details were corrected. Credit note ${creditNote.number} cancels it. ${moneyMoved(refundPaise)}`,
      `The ${paper(invoice)} is attached. Please use it in your books instead of the original invoice.`,
    ],
    link: { label: 'See all documents', path: '/billing' },
  };
}

/** For whoever paid by a pay link: the papers are those of the customer. */
export function papersOfPayment(customerName: string, documents: readonly DocumentReference[]): Letter {
  return {
    subject: `Papers of your payment for ${customerName}`,
    paragraphs: [
      `Thank you for paying for ${customerName}. What was issued for this payment is attached; it is in their name, and they have it too.`,
      'This is the only mail that we send you about it. You don’t need to do anything.',
    ],
    facts: documents.map((document): [string, string] => [
      titleOf(document),
      `${document.number}, ${longDay(document.issuedOn)}`,
    ]),
  };
}

/** For an invoice whose buyer's details were amended; the revised invoice is attached. */
export function invoiceAmended(invoice: DocumentReference): Letter {
  return {
    subject: `Revised invoice ${invoice.number}`,
    paragraphs: [
      `The buyer’s details of ${paper(invoice)} of ${longDay(invoice.issuedOn)} were corrected. Its number, date and amounts stay the same, and no money has moved.`,
      'The revised invoice is attached. Please use it in your books instead of the first version.',
    ],
    link: { label: 'See all documents', path: '/billing' },
  };
}

/** For an invoice whose registration the provider cancelled; the invoice that replaces it is attached. */
export function invoiceCancelled({
  cancelled,
  invoice,
  refundPaise,
}: {
  cancelled: DocumentReference;
  invoice: DocumentReference;
  refundPaise: number;
}): Letter {
  return {
    subject: `Invoice ${cancelled.number} is cancelled`,
    paragraphs: [
      `We cancelled the registration of ${paper(cancelled)} of ${longDay(cancelled.issuedOn)} at the government’s invoice portal. It no longer counts, and you can't claim input tax credit with it. ${moneyMoved(refundPaise)}`,
      `The ${paper(invoice)} is attached and replaces it. Please use it in your books.`,
    ],
    link: { label: 'See all documents', path: '/billing' },
  };
}

/** For a document that the invoice portal refused to register. */
export function documentRefused(document: DocumentReference, reason: string, ofBuyer: boolean): Letter {
  return {
    subject: `${titleOf(document)} ${document.number} was not accepted by the invoice portal`,
    paragraphs: [
      `The government’s invoice portal refused to register ${paper(document)} of ${longDay(document.issuedOn)}, so we can't send it to you yet. Your plan and your payment are not affected.`,
      ofBuyer
        ? 'Please check the GSTIN in your business profile. If it is wrong or no longer active, change it, then choose “Correct buyer” on the invoice.'
        : 'There is nothing for you to do: we look into it, and send you the document as soon as it is registered.',
    ],
    facts: [['Reason given', reason]],
    link: { label: 'See all documents', path: '/billing' },
  };
}
