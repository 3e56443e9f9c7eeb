/** Of mandates: without them an end or a pause in the UPI app is only found before the next announcement or debit. */
export const tokenEvents = ['token.confirmed', 'token.rejected', 'token.paused', 'token.cancelled'] as const;

export const paymentEvents = ['payment.authorized', 'payment.captured', 'payment.failed', 'order.paid'] as const;

/** The events that Razorpay's webhook must send, for what; the operator ticks them on its dashboard, and docs/operating/going-live.md lists them. */
export const webhookEvents: readonly (readonly [what: string, events: readonly string[]])[] = [
  ['payments', paymentEvents],
  ['refunds', ['refund.processed', 'refund.failed']],
  [
    'disputes',
    ['created', 'under_review', 'action_required', 'won', 'lost', 'closed'].map((step) => `payment.dispute.${step}`),
  ],
  ['bank transfers', ['virtual_account.credited']],
  ['renewals', tokenEvents],
];

/** A signed body that tells nothing, by which the doctor asks whether the portal has the same secret. */
export const doctorsQuestion = '{}';
