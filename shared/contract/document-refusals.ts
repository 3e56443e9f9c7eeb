/** The refusals about documents: no file, or no correction. */
export const documentRefusals = {
  no_invoice: {
    status: 409,
    title: 'No invoice',
    message: 'This subscription has no invoice because nothing was paid for it.',
  },
  document_in_preparation: {
    status: 409,
    title: 'Not ready yet',
    message: 'This document is being registered with the invoice portal. Try again in a minute.',
  },
  document_refused: {
    status: 409,
    title: 'Rejected by the invoice portal',
    message:
      'The government’s invoice portal rejected this document, so it has no file. Check the GSTIN in your business profile, then correct the buyer of the invoice.',
  },
  document_delayed: {
    status: 503,
    title: 'Document delayed',
    message: 'Your document couldn’t be prepared in time. Try again in a minute.',
  },
  document_unavailable: {
    status: 503,
    title: 'Document unavailable',
    message: 'We can’t open the file of this document right now. Try again later, or write to support.',
  },
  cannot_correct: {
    status: 409,
    title: 'Cannot be corrected',
    message: 'An invoice that has been credited or replaced can’t be corrected. Nothing was changed.',
  },
  nothing_to_correct: {
    status: 409,
    title: 'Nothing to correct',
    message: 'The invoice already matches your business profile. Change the profile first.',
  },
  corrected_too_often: {
    status: 409,
    title: 'Correction limit reached',
    message: 'This invoice has been corrected three times, which is the limit. Please contact support.',
  },
  too_late_to_correct: {
    status: 409,
    title: 'Too late to correct',
    message: 'The time for correcting invoices of that financial year is over. Nothing was changed.',
  },
  correction_needs_payment: {
    status: 409,
    title: 'Tax would be due',
    message:
      'This invoice bears no tax, and with your new details tax would be due that you haven’t paid. Nothing was changed: please contact support.',
  },
} as const;
