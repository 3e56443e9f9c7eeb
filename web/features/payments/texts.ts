import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/payments/texts.hi.ts')).hindi;

export const paymentTexts = texts(
  (t) => ({
    pay: (amount: string) => t('Pay {amount}', { amount }),
    payAll: (amount: string, count: number) => t('Pay {amount} for all {count}', { amount, count }),
    allPaid: (count: number, day: string) =>
      t('{count} subscriptions are paid. The last one ends on {day}.', { count, day }),
    steps: { opening: t('Opening checkout...'), open: t('Paying...'), confirming: t('Confirming...') },
    needsNetwork: t('Paying needs the network'),
    orderFailed: t('Failed to create payment order'),
    initiateFailed: t('Failed to initiate payment. Please try again.'),
    notVerified: t('Payment completed but verification failed. Please contact support if you face any issues.'),
    notVerifiedMore: t(
      'If money left your account, don’t pay again: we will activate your plan or refund you automatically. This page updates automatically.',
    ),
    received: t('Payment received'),
    active: (plan: string, period: string) => t('{plan} is active: {period}.', { plan, period }),
    prepaid: (plan: string, period: string) => t('{plan} is prepaid: {period}.', { plan, period }),
    notRenewing: t('It won’t renew automatically: our payment provider can’t take that at the moment.'),
    beingConfirmed: t('Payment is being confirmed'),
    beingConfirmedMore: t(
      'The payment provider has not confirmed it yet. This page updates automatically; do not pay again.',
    ),
    stillConfirming: t('Payment is still being confirmed'),
    stillConfirmingMore: t('It shows here as soon as the provider confirms it. You may leave this page.'),
    refunded: t('The payment came too late and is refunded'),
    refundedMore: (amount: string) =>
      t('It could not start this subscription, so {amount} is refunded in full.', { amount }),
    billChanged: t('The payment is refunded'),
    billChangedMore: (amount: string) =>
      t('The bill had changed meanwhile, so {amount} is refunded in full.', { amount }),
    paidTwice: t('The second payment is refunded'),
    paidTwiceMore: (plan: string, amount: string) =>
      t('{plan} was paid already, so the second payment of {amount} is refunded in full.', { plan, amount }),
    ifTwice: (paid: string) => t('{paid} If you paid twice, the second payment is refunded.', { paid }),
    tryAgain: t('Try again'),
    dismiss: t('Dismiss'),
    closed: t('Payment not completed'),
    closedMore: t('The checkout was closed. If you still pay in your UPI app, it shows here.'),
    attemptFailed: (reason: string) =>
      t('{reason} If an amount was debited, it will appear here or be refunded.', { reason }),
    byTransfer: t('Pay by bank transfer'),
    gstinNotAccepted: t('Your GSTIN can’t be invoiced'),
  }),
  hindi,
);

/** Of the purchase order that a payment names. */
export const purchaseOrderTexts = texts(
  (t) => ({
    title: t('Purchase order'),
    is: (number: string) => t('Purchase order {number}', { number }),
    isOf: (number: string, day: string) => t('Purchase order {number} of {day}', { number, day }),
    add: t('Add a purchase order'),
    change: t('Change'),
    lead: t('The documents of this payment name it, instead of the one in your business details.'),
    number: t('Number'),
    numberHint: t('Leave it empty to name none.'),
    fault: t('A purchase order number has up to 16 letters, digits, - and /'),
    date: t('Date (optional)'),
    cancel: t('Cancel'),
  }),
  hindi,
);

/** Of a payment that the customer's bank disputes. */
export const disputeTexts = texts(
  (t) => ({
    title: (amount: string, plan: string) => t('Your bank disputes {amount} for {plan}', { amount, plan }),
    since: (day: string) => t('Reported on {day}.', { day }),
    status: {
      ANSWERING: t('We have been asked to answer your bank.'),
      DECIDING: t('Your bank has our answer and is deciding.'),
    },
    access: t(
      'Your plan continues meanwhile, and a refund of this payment waits. If your bank decides for you, the money is refunded with a credit note; a plan that is refunded in full ends.',
    ),
    todo: t('If you didn’t ask your bank for this, or it is settled, tell your bank.'),
    support: t('Contact support'),
    payment: t('Payment'),
  }),
  hindi,
);
