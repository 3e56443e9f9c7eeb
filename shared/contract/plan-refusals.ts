/** Those of `refusals` about buying, switching, renewing and paying later for plans. */
export const planRefusals = {
  already_activated: {
    status: 409,
    title: 'Already Activated',
    message: 'You already have an activation for this service. Delete the existing activation first.',
  },
  trial_used: {
    status: 409,
    title: 'Trial already used',
    message: 'You have already used the trial of this product. Choose another plan.',
  },
  days_taken: {
    status: 409,
    title: 'Plan exists for these days',
    message: 'You already have a plan for some of these days. Choose a start date after it ends.',
  },
  one_period_only: {
    status: 422,
    title: 'Only one period',
    message: 'A free plan is added once at a time. Choose one period, or a plan with a price.',
  },
  no_plan_running: {
    status: 409,
    title: 'No plan is running',
    message: 'There is no running plan to switch from or to add to. Add a subscription instead.',
  },
  too_many_unpaid: {
    status: 409,
    title: 'Too many unpaid subscriptions',
    message: 'At most 24 subscriptions of an API wait for their payment. Pay for them or remove some first.',
  },
  plan_changed: {
    status: 409,
    title: 'Plan has changed',
    message:
      'What this costs or includes has changed since you added it, so it can’t be paid as it was. Remove it and choose again.',
  },
  plan_withdrawn: {
    status: 409,
    title: 'No longer on sale',
    message: 'This is no longer on sale, so it can’t be paid. Remove it and choose another plan.',
  },
  plan_runs_already: {
    status: 409,
    title: 'Plan is running',
    message: 'This free plan is running already. Choose another plan.',
  },
  prepaid_in_the_way: {
    status: 409,
    title: 'A prepaid plan is in the way',
    message: 'You have prepaid a plan for some of these days. Cancel it first, which refunds it in full, then switch.',
  },
  payment_under_way: {
    status: 409,
    title: 'A payment is being confirmed',
    message: 'A payment is being confirmed. Wait for its result first; the debit of a renewal takes up to two days.',
  },
  not_renewing: {
    status: 409,
    title: 'It doesn’t renew',
    message: 'This API doesn’t renew automatically. Nothing was changed.',
  },
  business_only: {
    status: 409,
    title: 'For businesses only',
    message: 'Only a business can pay by bank transfer. Add your GSTIN to your business details, or pay another way.',
  },
  renews_already: {
    status: 409,
    title: 'It renews already',
    message: 'This API already renews automatically. Turn that off first to agree to something else.',
  },
  no_credit_terms: {
    status: 409,
    title: 'Pay it now',
    message: 'This can’t be paid later. Choose another way to pay.',
  },
  bill_overdue: {
    status: 409,
    title: 'A bill is overdue',
    message: 'Nothing more can be paid later while a bill is overdue. Pay the bill, or choose another way to pay.',
  },
  credit_limit_reached: {
    status: 409,
    title: 'Credit limit reached',
    message: 'This is more than you can still pay later. Pay a bill first, or choose another way to pay.',
  },
  plan_stopped: {
    status: 409,
    title: 'Calls stopped',
    message: 'Calls of this plan are refused while a bill is overdue, so no units can be added. Pay the bill first.',
  },
  gst_rate_changes: {
    status: 409,
    title: 'GST rate changes',
    message:
      'The GST rate changes before this period begins, so it can’t be invoiced yet. Pay now, or come back on its first day to pay later.',
  },
} as const;
