import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/reference/texts.hi.ts')).hindi;

/** Of the API reference. What the APIs themselves say comes from their documents and stays as it is. */
export const referenceTexts = texts(
  (t) => ({
    title: (product: string) => t('{product} reference', { product }),
    name: t('API documentation'),
    loading: t('Loading the reference'),
    failed: t('Failed to load the API documentation'),
    productsFailed: t('Failed to load marketplace products'),
    gatewayDown: t('The gateway didn’t respond. Your keys, plans and invoices are not affected.'),
    unreadable: t('This page can’t read the API’s description. Contact support.'),
    endpoints: t('Endpoints'),
    overview: t('Overview'),
    search: t('Search the endpoints'),
    searchHint: t('Search'),
    noneFound: t('No matching endpoints.'),
    noEndpoint: t('This endpoint does not exist'),
    noEndpointMore: t('It may have been renamed. See the list of endpoints.'),
    toOverview: t('Open the overview'),
    showEndpoints: t('All endpoints'),
    hideEndpoints: t('Close the list'),
    save: { openapi: t('OpenAPI file'), postman: t('Postman collection') },
    address: t('Address'),
    header: t('Header'),
    headerMore: (header: string) => t('{header}: your key, or Authorization: Bearer and your key', { header }),
    units: (units: number) => t('{units, plural, one {# unit} other {# units}} per call', { units }),
    unitsOfStatuses: (cost: string, statuses: string) => t('{cost}, only for {statuses}', { cost, statuses }),
    freeCall: t('Free: uses no quota'),
    tryIt: t('Try it'),
    sandboxHint: t('Send the call again with a test key: it goes to the sandbox and is not counted.'),
    body: t('Request body'),
    bodyFields: t('Body fields'),
    answer: t('Response'),
    answerFields: t('Response fields'),
    exampleAnswer: t('Example response'),
    file: (type: string) => t('A file of type {type}.', { type }),
    errors: t('Errors'),
    errorsMore: t('Every error is application/problem+json with a message that says what is wrong.'),
    meaning: t('Meaning'),
    required: t('required'),
    optional: t('optional'),
    notAlways: t('not always present'),
    oneOf: t('One of'),
    oneOfMany: (count: number) => t('One of {count} values', { count }),
    showFields: (name: string) => t('Fields of {name}', { name }),
    leaveOut: t('Omit'),
    exampleNo: (name: string) => t('Example {name}', { name }),
    examples: t('Example to start from'),
  }),
  hindi,
);

/** Of trying a call in the page. */
export const tryTexts = texts(
  (t) => ({
    key: t('API key'),
    keyForm: 'gstk_live_...',
    keyHint: t('Kept in the memory of this page only, and sent to the gateway only.'),
    testKeyHint: t('A test key: calls go to the sandbox and aren’t counted.'),
    keyMalformed: t('This is not an API key: it was mistyped or cut off.'),
    keyMissing: t('Paste an API key first.'),
    generate: t('Generate a key'),
    activate: t('Activate this API first'),
    show: t('Show the key'),
    missing: t('This field is required.'),
    badJson: (fault: string) => t('Invalid JSON: {fault}', { fault }),
    send: t('Send request'),
    sending: t('Sending...'),
    noneYet: t('Send the request to see the response here.'),
    counted: t('Counted'),
    yes: t('Yes'),
    no: t('No'),
    testKey: t('No, test key'),
    ms: (ms: string) => t('{ms} ms', { ms }),
    bytes: (bytes: string) => t('{bytes} bytes', { bytes }),
    left: (remaining: string, limit: string) => t('{remaining} of {limit}', { remaining, limit }),
    status: t('Status'),
    took: t('Duration'),
    leftToday: t('Left today'),
    leftCycle: t('Left in this cycle'),
    headers: (count: number) => t('Headers ({count})', { count }),
    theAnswer: t('Response body'),
    saveFile: (name: string) => t('Save {name}', { name }),
    fileCame: (type: string) => t('The response is a file of type {type}.', { type }),
    noAnswer: t('No response from the gateway'),
    noAnswerMore: t('Check the connection and send the request again. The usage page shows whether it was counted.'),
    tooSlow: t('The gateway didn’t respond within 30 seconds'),
    retryInSeconds: (seconds: string) => t('Try again in {seconds} s.', { seconds }),
    retryInMinutes: (time: string, minutes: string) =>
      t('Try again after {time} IST (in {minutes} min).', { time, minutes }),
    retryInHours: (time: string, hours: string, minutes: string) =>
      t('Try again after {time} IST (in {hours} h {minutes} min).', { time, hours, minutes }),
    fixKey: t('Generate another key, or paste yours again.'),
    fixPlan: t('Choose a plan or pay the pending one, then send the request again.'),
    fixOtherApi: t('Use a key of this API: each activation has its own keys.'),
    fixQuota: t('Wait for the quota to reset, or choose a larger plan.'),
    fixServer: t('Your request was not the cause. Send it again in a moment.'),
    toKeys: t('API Keys'),
    toPlans: t('Manage Subscriptions'),
  }),
  hindi,
);

/** Of the samples of code. */
export const sampleTexts = texts(
  (t) => ({
    languages: t('Programming language'),
    code: (language: string) => t('Sample in {language}', { language }),
    setKey: (command: string) => t('Set your key first: {command}', { command }),
    runBy: (command: string) => t('Run it with {command}', { command }),
    paste: t('For a terminal.'),
    holdsKey: t('Your key is in it: do not share it.'),
  }),
  hindi,
);

/** Of the first page of a reference. */
export const overviewTexts = texts(
  (t) => ({
    quickStart: t('Quick start'),
    quickStartMore: t('Get the first response in your own program in five minutes.'),
    done: t('Done'),
    steps: {
      activate: {
        title: t('Activate the API'),
        text: t('A free or trial plan is enough to begin with.'),
        action: t('Choose a plan'),
      },
      key: {
        title: t('Generate an API key'),
        text: t('It is shown once: copy it before you close the window.'),
        action: t('Generate a key'),
      },
      call: {
        title: t('Make the first call here'),
        text: t('Paste the key and send; the example values are filled in.'),
        action: t('Try it'),
      },
      program: {
        title: t('Call it from your program'),
        text: t('Each endpoint has samples in five languages, filled with the values that you tried.'),
      },
    },
    counting: t('What counts against your quota'),
    countingMore: t(
      'The gateway counts by this table. Calls that the gateway itself refuses, such as those with a wrong key or a used-up quota, never count; their problem has a code.',
    ),
    gatewayCodes: t('Codes of the gateway'),
    unlessGateway: t('Yes, unless the gateway refused it'),
    countingStatus: t('Status'),
    countingWhy: t('Why'),
    range: (from: number, to: number) => t('{from} to {to}', { from, to }),
    others: (from: number, to: number) => t('Others from {from} to {to}', { from, to }),
    replayed: t('Any, replayed'),
    limits: t('What is left, in every response'),
    limitsMore: t(
      'RateLimit and RateLimit-Policy show what is left for the second, the day and the cycle, and when each resets. After a 429, Retry-After says how many seconds to wait.',
    ),
  }),
  hindi,
);
