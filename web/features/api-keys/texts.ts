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
    name: t('Name'),
    created: t('Created'),
    lastUsed: t('Last used'),
    lastUsedOn: (day: string) => t('Last used {day}', { day }),
    neverUsed: t('Never used'),
    status: t('Status'),
    action: t('Action'),
    active: t('Active'),
    revoked: t('Revoked'),
    endsWith: (hint: string) => `…${hint}`,
    endsWithSpoken: (hint: string) => t('ends with {hint}', { hint }),
    revoke: t('Revoke'),
    revokeNamed: (name: string) => t('Revoke {name}', { name }),
  }),
  hindi,
);

/** Of the generate dialog (spec §5). */
export const generateTexts = texts(
  (t) => ({
    title: t('Generate API Key'),
    label: t('Key name'),
    hint: t('Lowercase letters and digits, up to 5 characters'),
    count: (length: number, max: number) => `${length} / ${max}`,
    cancel: t('Cancel'),
    submit: t('Generate'),
    submitting: t('Generating...'),
    failed: t('Failed to generate API key'),
    maybeMade: t('If a key of this name is in the list now, revoke it: it cannot be shown again.'),
    ready: t('is ready'),
    once: t('Copy the key now. You will not be able to see it again.'),
    key: t('API key'),
    tryIt: t('Try it'),
    tryItMore: t('Run this in a terminal. The call is counted under My Usage.'),
    copyCommand: t('Copy command'),
    done: t('Done'),
  }),
  hindi,
);

/** Of the revoke dialog (spec §5). */
export const revokeTexts = texts(
  (t) => ({
    title: t('Revoke API key'),
    question: t('Are you sure you want to revoke this API key? This action cannot be undone.'),
    created: (day: string) => t('Created {day}', { day }),
    keep: t('Keep key'),
    confirm: t('Revoke key'),
    running: t('Revoking...'),
    done: (name: string) => t('{name} is revoked', { name }),
    doneMore: t('Calls with it are refused from now on.'),
    failed: t('Failed to revoke API key'),
  }),
  hindi,
);
