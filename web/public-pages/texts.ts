import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/public-pages/texts.hi.ts')).hindi;

/** Of the pages that everybody may see. */
export const publicTexts = texts(
  (t) => ({
    apis: t('APIs'),
    apisLead: t('What each API does, what it costs, and how to call it.'),
    apisDescription: (provider: string, names: string) =>
      t('APIs of {provider}: {names}. Features, prices with GST and documentation.', { provider, names }),
    allApis: t('All APIs'),
    pricing: t('Pricing'),
    pricingLead: t('Prices in rupees, before and with GST. A plan renews by itself only if you agree to it.'),
    pricingDescription: (provider: string) =>
      t('Plans and prices of every API of {provider}, before and with GST, with their quotas.', { provider }),
    aboutApi: (name: string) => t('About {name}', { name }),
    pricesOf: (name: string) => t('Prices of {name}', { name }),
    plans: t('Plans and prices'),
    plan: t('Plan'),
    period: t('Period'),
    beforeGst: t('Before GST'),
    gst: t('GST'),
    youPay: t('You pay'),
    perDay: t('Units per day'),
    inPeriod: t('Units in the period'),
    perSecond: t('Requests per second'),
    forDays: (days: string) => t('for {days}', { days }),
    priceParts: (before: string, gst: string) => t('{before} + {gst} GST', { before, gst }),
    nothingToPay: t('Nothing to pay, no card needed'),
    startFree: t('Start free'),
    activate: (price: string) => t('Activate for {price}', { price }),
    startPlanOf: (plan: string, product: string) => t('Start {plan} of {product}', { plan, product }),
    getKey: t('Get a key'),
    seePlans: t('See plans'),
    questions: t('Questions'),
    changelog: t('All changes'),
    changelogOf: (name: string) => t('Changes in {name}', { name }),
    changelogDescription: (name: string) => t('What changed in {name}, and what will stop working, by date.', { name }),
    noChanges: t('Nothing has changed so far.'),
    noChangesMore: t('New features, and what will stop working, are listed here with their dates.'),
    guides: t('Guides'),
    guidesLead: t('From the first call to webhooks, step by step.'),
    guidesDescription: (provider: string) =>
      t('How to call the APIs of {provider}: keys, errors, limits and webhooks, step by step.', { provider }),
    openApi: t('OpenAPI document'),
    reference: t('Reference'),
    referenceOf: (name: string) => t('Reference of {name}', { name }),
    referenceDescription: (name: string, count: number) =>
      t(
        '{count, plural, one {# operation} other {# operations}} of {name}: parameters, examples, errors and what counts.',
        {
          count,
          name,
        },
      ),
    operationDescription: (summary: string, name: string) =>
      t('{summary}: parameters, responses, errors and samples. {name}.', { summary, name }),
    parameters: t('Parameters'),
    moreFields: t('This page does not show every field. All are here:'),
    neighbours: t('Previous and next'),
    previous: t('Previous'),
    next: t('Next'),
    samples: t('Samples'),
    sampleKey: t('The samples take your key from the environment variable API_KEY.'),
    pictureLine: t('APIs, prices and documentation'),
    freeLine: t('Start free'),
    fromLine: (price: string) => t('Plans from {price} with GST', { price }),
    unshown: t('This page could not be shown'),
    unshownMore: t(
      'It is too large to be made here. The OpenAPI document of the API has everything that it would say.',
    ),
    missing: t('Page not found'),
    missingMore: t('There is nothing at this address. It may have moved, or is no longer offered.'),
    signIn: t('Sign in'),
  }),
  hindi,
);
