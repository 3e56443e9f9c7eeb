import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/cycles/texts.hi.ts')).hindi;

export const cycleTexts = texts(
  (t) => ({
    title: t('Manage Subscriptions'),
    loading: t('Loading subscriptions'),
    activationLoading: t('Loading activation'),
    loadFailed: t('Failed to load activation data'),
    notFound: t('Activation not found'),
    notFoundMore: t('We couldn’t find this in your account. It may have been deleted.'),
    openMarketplace: t('Open Marketplace'),
    pendingBanner: t('Complete your pending payment to activate subscription'),
    pendingTogether: (count: number) =>
      t('{count} subscriptions wait for their payment. One payment pays for all of them.', { count }),
    confirmingBanner: t('Payment is being confirmed'),
    confirmingBannerMore: (plan: string) =>
      t('{plan} becomes active as soon as the provider confirms the payment. Do not pay again.', { plan }),
    bill: {
      DUE: t('A bill is to be paid'),
      OVERDUE: t('A bill is overdue'),
      STOPPED: t('Calls are refused until this bill is paid'),
      WRITTEN_OFF: t('Calls are refused until this bill is paid'),
    },
    billDue: (plan: string, day: string) => t('{plan}, due on {day}', { plan, day }),
    allBills: t('All bills'),
    coverage: t('Coverage'),
    paidUntil: t('Paid until'),
    coveredUntil: t('Covered until'),
    activePlan: t('Active Plan'),
    forDays: (days: string) => t('for {days}', { days }),
    daysLeft: (days: number) =>
      t('{days, plural, =0 {last day today} one {# day left after today} other {# days left after today}}', { days }),
    daysUsed: t('Days used'),
    prepayNext: t('Prepay next'),
    switchPlan: t('Switch plan'),
    replaces: t('Replaces the running plan on the day you pay.'),
    deactivate: t('Deactivate plan'),
    upcoming: t('Upcoming'),
    upcomingMore: t('Each starts when the one before it ends'),
    subscription: t('Subscription'),
    noUpcoming: t('No next plan yet. Without one, calls are refused after the last covered day.'),
    prepaidOn: (day: string) => t('Prepaid on {day}. Activates automatically.', { day }),
    activates: t('Activates automatically.'),
    notActive: t('Not active until it is paid.'),
    due: t('Its start date has passed. It starts on the day it is paid and keeps its full length.'),
    changed: (price: string) =>
      t('This plan has changed since you added it, and costs {price} today. Remove it and add it again.', { price }),
    withdrawn: t('This plan is no longer on sale, so it can’t be paid. Remove it and choose another one.'),
    confirming: t('The payment is being confirmed. Do not pay again.'),
    remove: t('Remove'),
    cancel: t('Cancel'),
    tip: t('Tip'),
    tipText: t('Prepay several subscriptions with consecutive start dates. They auto-activate as each one ends.'),
    emptyTitle: t('No Active Plans'),
    emptyMore: t('Choose a plan and a start date to begin using this service.'),
    add: t('Add Subscription'),
    history: t('Billing history'),
  }),
  hindi,
);

/** Of the dialogs that end a cycle. */
export const endTexts = texts(
  (t) => ({
    loading: t('Calculating the cost'),
    previewFailed: t('The cost could not be calculated'),
    tryAgain: t('Try Again'),
    failed: {
      deactivate: t('Failed to deactivate plan. Please try again.'),
      cancel: t('Failed to deactivate plan. Please try again.'),
      remove: t('Failed to remove plan. Please try again.'),
    },
    done: {
      deactivate: (plan: string) => t('{plan} has ended', { plan }),
      cancel: (plan: string) => t('{plan} is cancelled', { plan }),
      remove: (plan: string) => t('{plan} is removed', { plan }),
    },
    title: {
      deactivate: (plan: string) => t('Deactivate the {plan} plan?', { plan }),
      cancel: () => t('Cancel this subscription?'),
      remove: () => t('Remove this subscription?'),
    },
    keep: { deactivate: t('Keep plan'), cancel: t('Keep'), remove: t('Keep') },
    confirm: { deactivate: t('Deactivate plan'), cancel: t('Cancel subscription'), remove: t('Remove') },
    running: { deactivate: t('Deactivating...'), cancel: t('Cancelling...'), remove: t('Removing...') },
    deactivateLost: t('The plan ends immediately. Unused days are lost.'),
    deactivateRefunded: t('The plan ends immediately. Unused days are refunded.'),
    cancelText: (plan: string, period: string) =>
      t('{plan}, {period}, is paid and has not started. Cancelling refunds it in full.', { plan, period }),
    cancelFreeText: (plan: string, period: string) =>
      t('{plan}, {period}, has not started. Cancelling costs nothing.', { plan, period }),
    removeText: (plan: string, period: string) =>
      t('{plan}, {period}, has not been paid. Removing it costs nothing, and you can add it again later.', {
        plan,
        period,
      }),
    renewal: {
      ends: () => t('It will not renew automatically any more.'),
      skips: () => t('The next debit of its automatic renewal is skipped.'),
      moves: (day: string) => t('Your plan then renews automatically from {day} on.', { day }),
    },
    debitPays: (amount: string) =>
      t('Your bank was already asked for {amount}. That debit pays for the period from then on.', { amount }),
    debit: (amount: string) =>
      t('Your bank was already asked for {amount}. If it still debits that, you get all of it back.', { amount }),
    ends: t('Ends'),
    today: (day: string) => t('Today, {day}', { day }),
    insteadOf: (day: string) => t('instead of {day}', { day }),
    unusedLost: t('Unused days lost'),
    unused: t('Unused days'),
    worth: t('Worth'),
    notRefunded: (amount: string) => t('{amount}, not refunded', { amount }),
    tooLittle: (amount: string) => t('{amount}: less than ₹1 is not refunded', { amount }),
    next: t('Next'),
    nextPlan: (plan: string, day: string) => t('{plan} from {day}', { plan, day }),
    nextNone: t('None: calls are refused from now on'),
  }),
  hindi,
);

/** Of Switch plan (product §4.21). */
export const switchTexts = texts(
  (t) => ({
    title: t('Switch plan'),
    loading: t('Loading plans'),
    plansFailed: t('Failed to load plan data'),
    calculating: t('Calculating the cost'),
    choose: t('Choose a plan'),
    keep: (plan: string) => t('Keep {plan}', { plan }),
    paySwitch: (amount: string) => t('Pay {amount}', { amount }),
    switchNow: t('Switch now'),
    switching: t('Switching...'),
    done: (plan: string) => t('{plan} is running', { plan }),
    failed: t('Failed to activate plan. Please try again.'),
    ends: (plan: string) => t('{plan} ends', { plan }),
    endsToday: (day: string) => t('Today, {day}', { day }),
    insteadOf: (day: string) => t('instead of {day}', { day }),
    unusedLost: t('Unused days lost'),
    unused: t('Unused days'),
    worth: (days: string, amount: string) => t('{days}, worth {amount}', { days, amount }),
    starts: (plan: string) => t('{plan} covers', { plan }),
    taxable: t('Taxable value'),
    withGst: (taxable: string, gst: string) => t('{taxable} + {gst} GST', { taxable, gst }),
    toPay: t('To pay'),
    whenPaid: t(
      'The running plan ends and the new one starts when the payment is confirmed. Until then nothing changes. Calls made today count against the new daily quota.',
    ),
    atOnce: t(
      'The running plan ends at once. What was used of a free quota stays used, and calls made today count against the new daily quota.',
    ),
  }),
  hindi,
);

/** Of Recharge (product §4.23). */
export const rechargeTexts = texts(
  (t) => ({
    title: t('Recharge'),
    packs: t('Packs'),
    units: (units: string) => t('{units} more', { units }),
    gst: (gst: string) => t('{gst} GST included', { gst }),
    until: (day: string) =>
      t(
        'The pack raises the daily quota and the quota of the running plan as soon as it is paid, until {day}. What is left then expires.',
        { day },
      ),
    pay: (amount: string) => t('Pay {amount}', { amount }),
    close: t('Cancel'),
    failed: t('Failed to order the pack. Please try again.'),
    added: (name: string, units: string) => t('{name}: {units} more', { name, units }),
    unpaid: (name: string) => t('{name}: not paid yet', { name }),
    raised: (units: string) => t('{units} more from the provider', { units }),
  }),
  hindi,
);

/** Of the Add Subscription dialog. */
export const addTexts = texts(
  (t) => ({
    title: t('Add Subscription'),
    stepPlan: t('Choose a plan'),
    stepDay: t('Start date'),
    steps: t('Steps'),
    plans: t('Plans'),
    loading: t('Loading plans'),
    plansFailed: t('Failed to load plan data'),
    plansEmpty: t('No plans available for this service'),
    plansEmptyMore: t('New plans appear here when they are published.'),
    trialUsed: t('Already used'),
    cancel: t('Cancel'),
    next: t('Continue'),
    back: t('Back to Plans'),
    complete: t('Complete'),
    completing: t('Completing...'),
    chooseBoth: t('Please select a plan and start date'),
    failed: t('Plan activation failed. Please try again.'),
    unreachable: t('Failed to activate plan. Please try again.'),
    today: (day: string) => t('Today, {day}', { day }),
    afterLast: t('The day after your last subscription'),
    otherDay: t('Another day'),
    ends: (end: string) => t('Ends {end}', { end }),
    toPay: t('To pay'),
    withGst: (taxable: string, gst: string) => t('{taxable} + {gst} GST', { taxable, gst }),
    chooseDay: t('Choose a day'),
    periods: t('Periods'),
    periodsMore: t('Several periods follow one another and are paid together. Each has its own invoice.'),
    periodsOf: (count: number) => t('{count, plural, one {# period} other {# periods}}', { count }),
    periodDates: t('Dates of each period'),
    addedPeriods: (plan: string, count: number) =>
      t('{plan} added for {count} periods. Pay to activate them.', { plan, count }),
    addedPending: (plan: string) => t('{plan} added. Pay to activate it.', { plan }),
    addedFree: (plan: string, from: string) => t('{plan} added. It starts on {from}.', { plan, from }),
    takenHead: (days: string) =>
      t('Days that a plan covers, or that leave less than {days} before the next one, can’t be chosen:', { days }),
    takenToday: t('To start another plan today, use Switch plan on the Active Plan.'),
    takenBy: (plan: string, period: string) => t('Covered by {plan}, {period}', { plan, period }),
    tooShort: (plan: string, day: string) => t('Too near to {plan}, which starts on {day}', { plan, day }),
  }),
  hindi,
);

/** Of a plan in a line. */
export const planTexts = texts(
  (t) => ({
    category: (category: string) => t('{category} Plans', { category }),
    quotas: (quotas: { daily: string; monthly: string; rps: number }) =>
      t(
        '{daily} requests per day, {monthly} per month, {rps, plural, one {# request per second} other {# requests per second}}',
        quotas,
      ),
    quotasOfDays: (quotas: { daily: string; monthly: string; rps: number; days: number }) =>
      t(
        '{daily} requests per day, {monthly} in {days} days, {rps, plural, one {# request per second} other {# requests per second}}',
        quotas,
      ),
    unitsOfDays: (quotas: { daily: string; monthly: string; rps: number; days: number }) =>
      t(
        '{daily} units per day, {monthly} in {days} days, {rps, plural, one {# request per second} other {# requests per second}}',
        quotas,
      ),
    cost: (operation: string, units: number) =>
      t('{operation}: {units, plural, one {# unit} other {# units}} per call', { operation, units }),
    costOfStatuses: (cost: string, statuses: string) => t('{cost}, only for {statuses}', { cost, statuses }),
    freeOperation: (operation: string) => t('{operation}: free', { operation }),
    onlyOperations: (operations: string) => t('Only {operations}', { operations }),
  }),
  hindi,
);
