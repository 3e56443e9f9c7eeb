import { monthName } from '#shared/domain/day-text.ts';
import type { Month } from '#shared/domain/month.ts';
import type { Letter } from './letter.ts';

/** What a month's ZIP has. */
const contents = 'invoices, vouchers and credit notes as PDF, the purchase register and the usage as CSV';
const countOf = (documents: number) => (documents === 1 ? '1 document' : `${documents} documents`);

/** To an accountant, before anything else is sent. */
export function accountantAsked(customer: string, path: string): Letter {
  return {
    subject: `Confirm that you want the monthly papers of ${customer}`,
    paragraphs: [
      `${customer} is our customer and wants us to mail you their papers on the 1st of each month: ${contents}.`,
      'Nothing is sent unless you confirm within 7 days. If you don’t know this customer, ignore this mail or decline on the same page.',
    ],
    link: { label: 'Confirm or decline', path },
  };
}

/** To the customer, whose accountant has declined or stopped the mails. */
export function accountantStopped(email: string): Letter {
  return {
    subject: 'Your accountant no longer gets your monthly papers',
    paragraphs: [
      `${email} has declined or stopped the mails with your papers.`,
      'If that was not intended, ask your accountant for another address and add it on the billing page.',
    ],
    link: { label: 'Open your documents', path: '/billing?view=documents' },
  };
}

/** To an accountant who has confirmed. */
export function monthPacked(
  customer: string,
  pack: { month: Month; documents: number; isAttached: boolean; download: string; path: string },
): Letter {
  const month = monthName(pack.month);
  return {
    subject: `${month}: papers of ${customer}`,
    paragraphs: [
      `Here are the papers of ${customer} for ${month}: ${contents}.`,
      pack.isAttached
        ? 'They are attached as a ZIP. The link below works for 30 days.'
        : 'The ZIP is too large for a mail. Download it with the link below, which works for 30 days.',
    ],
    facts: [
      ['Month', month],
      ['Documents', countOf(pack.documents)],
    ],
    link: { label: 'Download the ZIP', path: pack.download },
    stop: { label: 'Stop these mails', path: pack.path },
  };
}

/** To the provider's own accountant. */
export function providerMonth(
  provider: string,
  { month, documents, fitsMail }: { month: Month; documents: number; fitsMail: boolean },
): Letter {
  const name = monthName(month);
  return {
    subject: `${name}: papers of ${provider}`,
    paragraphs: [
      `The month ${name} is over: every document issued in it, GSTR-1, GSTR-3B and the files of the books.`,
      `${
        fitsMail
          ? 'They are attached as a ZIP.'
          : `The ZIP is too large for a mail. The portal’s operator can make it with: octroi month-pack ${month}.`
      } To stop these mails, remove ACCOUNTANT_EMAIL from the portal’s settings.`,
    ],
    facts: [
      ['Month', name],
      ['Documents', countOf(documents)],
    ],
  };
}
