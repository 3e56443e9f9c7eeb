import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/marketplace/texts.hi.ts')).hindi;

/** Of the marketplace and of a product's page. */
export const marketplaceTexts = texts(
  (t) => ({
    title: t('Marketplace'),
    myActivations: t('My Activations'),
    moreForYou: t('More For You'),
    ourProducts: t('Our Products'),
    ourProductsLead: t('Pick a product to activate, then choose a plan for it.'),
    loading: t('Loading marketplace'),
    failed: t('Failed to load marketplace products'),
    /** Of one service (product §9.9). */
    serviceFailed: t('Failed to load service data'),
    serviceNotFound: t('Service not found'),
    serviceNotFoundMore: t('It may have been renamed or is no longer offered. The marketplace has all services.'),
    openMarketplace: t('Open Marketplace'),
    noProducts: t('No products available'),
    noProductsMore: t('Products appear here when they are published.'),
    requestsToday: t('Requests today'),
    noPlanYet: t('No plan yet'),
    ends: (day: string) => t('Ends {day}', { day }),
    ended: (day: string) => t('Ended {day}', { day }),
    starts: (day: string) => t('Starts {day}', { day }),
    steps: [
      { title: t('Activate'), text: t('Your activation gets its own id, plan and API keys.') },
      { title: t('Choose a plan and a start date'), text: t('Start free, or prepay 30 or 90 days by card or UPI.') },
      { title: t('Generate an API key'), text: t('Call the API and watch each request against your quota.') },
    ],
    answer: '200, application/json',
    sample: t('Example response'),
    features: t('Features'),
    uses: t('Use cases'),
    documentation: t('API documentation'),
    plans: t('Plans'),
    plansLoading: t('Loading plans'),
    plansFailed: t('Failed to load plan data'),
    noPlans: t('No plans available for this service'),
    noPlansMore: t('New plans appear here when they are published.'),
    ifToday: t('If you start today'),
    taxableValue: t('Taxable value'),
    gst: t('GST'),
    total: t('Total'),
    activateNow: t('Activate Now'),
    activateService: t('Activate This Service'),
    checking: t('Checking...'),
    activating: t('Activating...'),
    alreadyActivated: t('Already Activated'),
    alreadyActivatedMore: (id: string) =>
      t(
        'You already have an activation for this service, {id}. Delete the existing activation first to activate it again.',
        { id },
      ),
    openActivation: t('Open activation'),
    activateNowStarts: (plan: string, days: string) => t('Starts {plan}, free for {days}.', { plan, days }),
    activateNowBare: t('You choose the plan after activating.'),
    covers: t('Covers'),
    prepay: (plan: string, price: string) => t('Prepay {plan}, {price}', { plan, price }),
    add: (plan: string, price: string) => t('Add {plan}, {price}', { plan, price }),
    manage: t('Manage Subscriptions'),
    activated: (service: string) => t('{service} is activated', { service }),
    activatedPending: t('Complete your pending payment to activate subscription'),
    activationFailed: (error: string) => t('Activation failed: {error}', { error }),
  }),
  hindi,
);

/** Of what changes in an API over the years. */
export const apiLifeTexts = texts(
  (t) => ({
    deprecated: (what: string) => t('{what} is deprecated', { what }),
    since: (since: string) => t('Since {since}. It works as before.', { since }),
    until: (since: string, sunset: string) => t('Since {since}. It may stop on {sunset}.', { since, sunset }),
    more: t('More about this change'),
    changelog: t('What changed'),
  }),
  hindi,
);
