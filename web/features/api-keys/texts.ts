import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/api-keys/texts.hi.ts')).hindi;

export const keyTexts = texts(
  (t) => ({
    title: t('API Keys'),
    lead: t('A key is shown once, when you generate it. Store it somewhere safe.'),
    generate: t('Generate API Key'),
    loading: t('Loading API keys'),
    loadFailed: t('Failed to load API keys'),
    empty: t('No API keys available'),
    emptyMore: t('Generate a key to make your first request.'),
    olderEnded: (count: number) =>
      t('Of the keys that ended, the last {count} are shown. The calls of older ones stay in the reports.', { count }),
    name: t('Name'),
    created: t('Created'),
    lastUsed: t('Last used'),
    lastUsedOn: (day: string) => t('Last used {day}', { day }),
    neverUsed: t('Never used'),
    status: t('Status'),
    action: t('Action'),
    active: t('Active'),
    revoked: t('Revoked'),
    expired: t('Expired'),
    replaced: t('Replaced'),
    test: t('Test'),
    worksUntil: (day: string) => t('Works until {day}', { day }),
    addresses: (count: number) => t('{count, plural, one {# address} other {# addresses}}', { count }),
    capped: (calls: string) => t('{calls} calls per day', { calls }),
    replaceNamed: (name: string) => t('Replace {name}', { name }),
    replace: t('Replace'),
    moreNamed: (name: string) => t('More for {name}', { name }),
    limits: t('Limits'),
    requests: t('Requests of this key'),
    endsWith: (hint: string) => `…${hint}`,
    endsWithSpoken: (hint: string) => t('ends with {hint}', { hint }),
    revoke: t('Revoke'),
    revokeNamed: (name: string) => t('Revoke {name}', { name }),
  }),
  hindi,
);

/** Of the generate dialog (product §5.2). */
export const generateTexts = texts(
  (t) => ({
    title: t('Generate API Key'),
    label: t('Key name'),
    kind: t('Kind of key'),
    live: t('Live'),
    test: t('Test'),
    liveMore: t('Calls reach the API and count against your plan.'),
    testMore: t('Calls use the sandbox. They need no plan and use no quota.'),
    limits: t('Limits (optional)'),
    hint: t('Lowercase letters and digits, up to 5 characters'),
    count: (length: number, max: number) => `${length} / ${max}`,
    cancel: t('Cancel'),
    submit: t('Generate'),
    submitting: t('Generating...'),
    failed: t('Failed to generate API key'),
    maybeMade: t('If a key with this name is in the list, revoke it: it can’t be shown again.'),
    ready: t('is ready'),
    once: t('Copy the key now. You will not be able to see it again.'),
    key: t('API key'),
    tryIt: t('Try it'),
    tryItMore: t('Run this in a terminal. The call is counted under My Usage.'),
    tryTest: t('Run this in a terminal. The call goes to the sandbox and isn’t counted.'),
    copyCommand: t('Copy command'),
  }),
  hindi,
);

/** Of the first call with a key. */
export const firstCallTexts = texts(
  (t) => ({
    waiting: t('Waiting for the first call with this key.'),
    received: (ms: string) => t('First call received, {ms} ms', { ms }),
    failed: (status: string, why: string) => t('First call received with status {status}. {why}', { status, why }),
    title: t('Next: your first call'),
    make: t('Generate an API key.'),
    copy: t('Copy the key, or the command that is shown with it.'),
    run: t('Run the command in a terminal. The dialog says when your call arrives.'),
    generate: t('Generate API Key'),
    toKeys: t('Go to API keys'),
  }),
  hindi,
);

/** Of the revoke dialog (product §5.4). */
export const revokeTexts = texts(
  (t) => ({
    title: t('Revoke API key'),
    question: t('Are you sure you want to revoke this API key? This action cannot be undone.'),
    created: (day: string) => t('Created {day}', { day }),
    lastUsed: t('Last used'),
    callsToday: t('Calls today'),
    stillUsed: t(
      'This key is still in use: its calls fail from the moment you revoke it. To change keys without a gap, replace it.',
    ),
    keep: t('Keep key'),
    confirm: t('Revoke key'),
    running: t('Revoking...'),
    done: (name: string) => t('{name} is revoked', { name }),
    doneMore: t('Calls with it are refused from now on.'),
    failed: t('Failed to revoke API key'),
  }),
  hindi,
);

/** Of what a key may be bound to. */
export const termsTexts = texts(
  (t) => ({
    title: t('Limits of the key'),
    lead: (name: string) => t('Limits for {name}. Changes apply from the next call.', { name }),
    lastDay: t('Last day'),
    lastDayMore: t('The key works until midnight IST on this day. Empty: it doesn’t expire.'),
    allowedIps: t('Allowed addresses'),
    allowedIpsExample: '203.0.113.7\n2001:db8::/32',
    allowedIpsMore: t('IPv4 or IPv6 addresses or networks, one per line. Empty: from anywhere.'),
    dailyCap: t('Calls per day'),
    dailyCapMore: t('A daily cap for this key, within your plan’s quotas. Empty: no cap.'),
    faults: {
      lastDay: t('Choose today or a later day.'),
      allowedIps: t('Enter addresses such as 203.0.113.7 or networks such as 203.0.113.0/24.'),
      tooManyIps: t('At most 50 addresses and networks.'),
      dailyCap: t('Enter a whole number of 1 or more.'),
    },
    cancel: t('Cancel'),
    save: t('Save limits'),
    saving: t('Saving...'),
    saved: (name: string) => t('Limits of {name} saved', { name }),
    savedMore: t('New limits apply from the next call.'),
    failed: t('The limits could not be saved'),
  }),
  hindi,
);

/** Of replacing a key. */
export const rotateTexts = texts(
  (t) => ({
    title: t('Replace API key'),
    lead: (name: string) => t('The new key takes over the name and limits of {name}. It is shown once.', { name }),
    overlap: t('Keep the old key working for'),
    overlaps: {
      0: t('Revoke immediately'),
      1: t('1 hour'),
      24: t('1 day'),
      72: t('3 days'),
      168: t('7 days'),
    },
    cancel: t('Cancel'),
    confirm: t('Replace key'),
    running: t('Replacing...'),
    traffic: (calls: number, minutes: number) =>
      t(
        '{calls, plural, one {# call} other {# calls}} with the old key in the last {minutes} minutes. Switch your programs over.',
        {
          calls,
          minutes,
        },
      ),
    quiet: (minutes: number) =>
      t('No calls with the old key in the last {minutes} minutes. You can revoke it.', { minutes }),
    quietStopped: (minutes: number) =>
      t('The old key has stopped. There were no calls with it in the last {minutes} minutes.', { minutes }),
    leaked: t('Has the key leaked?'),
    leakedMore: t('Then the old one must stop now.'),
    atOnce: t('Replace at once'),
    failed: t('The key could not be replaced'),
  }),
  hindi,
);
