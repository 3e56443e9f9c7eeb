import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/activations/texts.hi.ts')).hindi;

/** Of the bar on all pages of an activation. */
export const barTexts = texts(
  (t) => ({
    label: t('Sections of the activation'),
    places: {
      overview: t('Overview'),
      usage: t('My Usage'),
      keys: t('API Keys'),
      billing: t('Billing History'),
      plan: t('My Plan'),
      deactivate: t('Deactivate'),
      subscriptions: t('Subscriptions'),
      requests: t('Requests'),
      support: t('Support'),
    },
  }),
  hindi,
);

/** Of an activation's pages. */
export const activationTexts = texts(
  (t) => ({
    loading: t('Loading activation'),
    failed: t('Failed to load activation data'),
    today: t('Today'),
    thisCycle: t('This cycle'),
    plan: t('Plan'),
    ends: t('Ends'),
    left: t('Left'),
    next: t('Next'),
    nextNone: t('None yet'),
    nextPrepaid: (plan: string) => t('{plan}, prepaid', { plan }),
    nextUnpaid: (plan: string) => t('{plan}, to be paid', { plan }),
    noPlans: t('No Active Plans'),
    noPlansMore: t('Add a subscription to start using this service.'),
    billing: t('Subscriptions & Billing'),
    billingMore: t('See your plan, prepay the next ones, pay what is pending and download invoices.'),
    billingClear: t('Nothing to pay'),
    developers: t('Developer Portal'),
    developersMore: t('Track requests against your quota, and generate or revoke API keys.'),
    keys: (count: number) => t('{count, plural, one {# active key} other {# active keys}}', { count }),
    support: t('Support & Help'),
    supportMore: t('Read the API documentation or write to our support team.'),
  }),
  hindi,
);

/** Of the Developer Portal. */
export const developersTexts = texts(
  (t) => ({
    serviceGone: t('This API is no longer offered. Your subscriptions and documents stay here.'),
    title: t('Developer Portal'),
    lead: t('Usage, API keys and billing for each service you have activated.'),
    activated: t('Activated'),
    activatedLoading: t('Loading activated services'),
    activatedFailed: t('Failed to load activated services'),
    activatedNone: t('No services activated yet'),
    activatedNoneMore: t('Activate a product to get API keys and usage here.'),
    marketplace: t('Marketplace'),
    marketplaceLoading: t('Loading marketplace services'),
    marketplaceFailed: t('Failed to load marketplace services'),
    openMarketplace: t('Open Marketplace'),
    enabled: t('Enabled'),
    status: t('Status'),
    active: t('Active'),
    inactive: t('No plan running'),
    today: t('Today'),
    requestsToday: (service: string) => t('{service}, requests today', { service }),
    freePlan: t('Free plan available'),
    webhooks: t('Webhooks'),
    documentation: t('API documentation'),
    reference: t('Try every endpoint'),
    firstCall: t('Make a call'),
    firstCallMore: t('Send one of your API keys with each call, as Bearer token or in the X-API-Key header.'),
    address: t('Address'),
    header: t('Header'),
    yourKey: 'YOUR_API_KEY',
  }),
  hindi,
);

/** Of the Billing Portal. */
export const billingTexts = texts(
  (t) => ({
    title: t('Billing Portal'),
    lead: t('Payments and invoices across all your activations.'),
    views: t('Filter the list'),
    view: { payments: t('Payments'), documents: t('Documents') },
    loading: t('Loading billing data'),
    failed: t('Failed to load billing data'),
    empty: t('No billing history available'),
    emptyMore: t('Payments and invoices appear after your first plan.'),
    noneFound: t('No matches'),
    noneFoundMore: t('Change the filter or the search terms.'),
    toPay: t('To pay'),
    payments: (count: number) => t('{count, plural, one {in # payment} other {in # payments}}', { count }),
    paidIn: (year: string) => t('Paid in {year}', { year }),
    paidUntil: (service: string) => t('{service} covered until', { service }),
    notCovered: t('Not covered'),
    filter: t('Show'),
    filters: { all: t('All'), toPay: t('To pay'), paid: t('Paid') },
    search: t('Invoice or activation'),
    which: t('Activation'),
    allActivations: t('All activations'),
    deletedService: (service: string, id: string) => t('{service} (deleted, {id})', { service, id }),
    deletedOn: (day: string) => t('Deleted {day}', { day }),
    date: t('Date'),
    service: t('Service'),
    plan: t('Plan'),
    status: t('Status'),
    amount: t('Amount'),
    invoice: t('Invoice'),
    none: t('None'),
    changed: t('Changed, can’t be paid'),
    openMarketplace: t('Open Marketplace'),
  }),
  hindi,
);
