import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/shell/texts.hi.ts')).hindi;

/** Of the notice on every page of a customer whom the provider has blocked. */
export const blockedTexts = texts(
  (t) => ({
    title: (since: string) => t('Your account has been blocked since {since}', { since }),
    reason: (reason: string) => t('Reason: {reason}', { reason }),
    effect: t(
      'Calls with your API keys are refused, and you can’t buy, pay or make keys. Your plans, keys and documents stay as they are, but the days of running plans go by.',
    ),
    support: t('Write to support'),
  }),
  hindi,
);
