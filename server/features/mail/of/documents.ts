import type { Mails } from '#server/features/mail/event-mail.ts';
import * as documentTexts from '#server/features/mail/document-texts.ts';
import * as providerTexts from '#server/features/mail/provider-texts.ts';

/** The mails about documents. */
export const documentMails = {
  'invoice.corrected': (event) => ({ letter: documentTexts.invoiceCorrected(event), documentIds: [event.invoice.id] }),
  'invoice.amended': ({ invoice }) => ({ letter: documentTexts.invoiceAmended(invoice), documentIds: [invoice.id] }),
  'invoice.cancelled': (event) => ({ letter: documentTexts.invoiceCancelled(event), documentIds: [event.invoice.id] }),
  'document.refused': ({ document, reason, ofBuyer }) => ({
    letter: documentTexts.documentRefused(document, reason, ofBuyer),
  }),
  'documents.sent': ({ documents, email }) => ({
    letter: providerTexts.documentsSent(documents),
    documentIds: documents.map(({ id }) => id),
    arePrinted: true,
    ...(email !== null && { to: email }),
  }),
  'payer.papers_asked': ({ documents, email, customerName }) => ({
    letter: documentTexts.papersOfPayment(customerName, documents),
    documentIds: documents.map(({ id }) => id),
    // Sending is tried again until they are.
    arePrinted: true,
    to: email,
  }),
} satisfies Partial<Mails>;
