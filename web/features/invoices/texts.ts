import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/invoices/texts.hi.ts')).hindi;

export const invoiceTexts = texts(
  (t) => ({
    invoice: t('Invoice'),
    download: (number: string) => t('Download invoice {number}', { number }),
    downloading: t('Downloading...'),
    downloaded: t('Invoice download initiated successfully!'),
    downloadFailed: t('Failed to download invoice. Please try again.'),
    usage: t('Usage (CSV)'),
    moreOf: (what: string) => t('More for {name}', { name: what }),
    usageFailed: t('Failed to download usage. Please try again.'),
    historyTitle: t('Billing History'),
    allActivations: t('All activations'),
    historyLoading: t('Loading billing history'),
    historyFailed: t('Failed to load billing data'),
    historyEmpty: t('No billing history available'),
    historyEmptyMore: t('Payments and invoices appear after your first plan.'),
    date: t('Date'),
    plan: t('Plan'),
    status: t('Status'),
    payment: t('Payment'),
    amount: t('Amount'),
    none: t('None'),
    changed: t('Changed, can’t be paid'),
    paymentStatus: { pending: t('pending'), failed: t('failed') },
    bill: {
      DUE: t('TO BE PAID'),
      OVERDUE: t('OVERDUE'),
      STOPPED: t('CALLS STOPPED'),
      WRITTEN_OFF: t('WRITTEN OFF'),
    },
    paid: t('Paid'),
    expired: t('Expired'),
    owed: { DUE: t('To be paid'), OVERDUE: t('Overdue'), STOPPED: t('Overdue'), WRITTEN_OFF: t('Written off') },
    returned: (refund: string) => t('Returned payment: {refund}', { refund }),
    refund: {
      STARTED: (amount: string) => t('{amount} refund started', { amount }),
      PENDING: (amount: string) => t('{amount} refund under way', { amount }),
      TRANSFER: (amount: string) =>
        t('{amount} refund by bank transfer: send your bank account to support', { amount }),
      PROCESSED: (amount: string) => t('{amount} refunded', { amount }),
      FAILED: (amount: string) => t('{amount} refund failed, contact support', { amount }),
    },
  }),
  hindi,
);
