import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/usage/texts.hi.ts')).hindi;

export const usageTexts = texts(
  (t) => ({
    loading: t('Loading usage'),
    failed: t('Failed to load usage data'),
    today: (day: string) => t('Today, {day}', { day }),
    dayOf: (day: number, days: number) => t('Day {day} of {days}', { day, days }),
    ofRequests: (limit: string) => t('/ {limit} requests', { limit }),
    ofUnits: (limit: string) => t('/ {limit} units', { limit }),
    renews: (instant: string) => t('Resets {instant} IST', { instant }),
    runsOut: (instant: string) => t('At the current pace it runs out on {instant} IST', { instant }),
    runsOutToday: (time: string) => t('At the current pace it runs out at {time} IST', { time }),
    lasts: t('At the current pace it lasts until then'),
    noPace: t('No calls yet, so no forecast'),
    usedUp: t('Used up'),
    asOf: (time: string) => t('As of {time} IST', { time }),
    live: t('Live'),
    polling: t('Updated every 5 seconds'),
    chart: t('Daily requests'),
    chartOfUnits: t('Daily units'),
    average: t('Daily average'),
    highest: t('Highest day'),
    total: t('Total'),
    requests: t('requests'),
    todayLabel: t('Today'),
    ofLimit: (percent: string) => t('{percent} of daily limit', { percent }),
    chartSpoken: (facts: { from: string; to: string; highestDay: string; highest: string; today: string }) =>
      t(
        'Daily requests from {from} to {to}. Highest day: {highestDay} with {highest} requests. Today so far: {today}.',
        { from: facts.from, to: facts.to, highestDay: facts.highestDay, highest: facts.highest, today: facts.today },
      ),
    plan: (name: string, price: string, period: string) =>
      t('Plan: {name}, {price}, {period}.', { name, price, period }),
    freePlan: (name: string, period: string) => t('Plan: {name}, {period}.', { name, period }),
    noPlan: t('No Active Plans'),
    noPlanMore: t('Without a running plan every call is refused. Choose one under Manage Subscriptions.'),
    manage: t('Manage Subscriptions'),
  }),
  hindi,
);

/** Of the page around the tabs. */
export const apiTexts = texts(
  (t) => ({
    loading: t('Loading activation'),
    loadFailed: t('Failed to load activation data'),
    title: t('API'),
    unknown: t('Unknown API'),
    unknownMore: t('This product is no longer offered. Your plan, keys and history stay as they are.'),
    back: t('Back to Dashboard'),
    reference: t('API documentation'),
    complete: t('Complete Payment'),
    sections: t('API sections'),
    tabs: {
      usage: t('My Usage'),
      keys: t('API Keys'),
      billing: t('Billing History'),
      plan: t('My Plan'),
      deactivate: t('Deactivate'),
    },
  }),
  hindi,
);

/** Of My Plan (product §2.21). */
export const planTexts = texts(
  (t) => ({
    title: t('My Plan'),
    change: t('Change plan'),
    plan: t('Plan'),
    price: t('Price'),
    rate: t('Rate'),
    perSecond: t('per second'),
    forDays: (days: string) => t('for {days}', { days }),
    next: t('Upcoming'),
    nothingNext: t('No next plan. Prepay one and it activates automatically.'),
    nextStarts: (day: string) => t('Starts on {day}', { day }),
    unpaid: t('Not active until it is paid.'),
    benefits: t('Included'),
    emptyTitle: t('No Active Plans'),
    emptyMore: t('Choose a plan and a start date to begin using this service.'),
  }),
  hindi,
);

/** Of the Deactivate tab (product §4.3). */
export const deleteTexts = texts(
  (t) => ({
    title: t('Deactivate'),
    loading: t('Calculating the cost'),
    failed: t('The cost of deactivating could not be calculated'),
    cardTitle: (service: string) => t('Delete the activation of {service}', { service }),
    what: t(
      'This ends everything of this activation at once and cannot be undone. Invoices and billing history stay available.',
    ),
    plan: t('Running plan'),
    planEnds: (plan: string) => t('{plan} ends immediately', { plan }),
    noPlan: t('No plan running'),
    unused: t('Unused days lost'),
    unusedWorth: (days: string, amount: string) => t('{days}, worth {amount}', { days, amount }),
    upcoming: t('Upcoming paid plans'),
    cancelled: (count: number) => t('{count} cancelled', { count }),
    unpaid: t('Unpaid subscriptions'),
    unpaidRemoved: (count: number) => t('{count} removed', { count }),
    renewal: t('Automatic renewal'),
    renewalEnds: t('ends'),
    debit: t('Debit under way'),
    debitRefunded: (amount: string) => t('{amount}: if your bank still makes it, you get all of it back', { amount }),
    keys: t('Active API keys'),
    keysRevoked: (count: number) => t('{count} revoked, calls are refused at once', { count }),
    none: t('None'),
    button: t('Delete activation'),
    deleting: t('Deleting...'),
    confirmTitle: t('Delete this activation?'),
    confirmText: (id: string) => t('{id} and its keys stop working now. This action cannot be undone.', { id }),
    keep: t('Keep activation'),
    actionFailed: t('Failed to deactivate plan. Please try again.'),
    done: (service: string) => t('The activation of {service} is deleted', { service }),
  }),
  hindi,
);
