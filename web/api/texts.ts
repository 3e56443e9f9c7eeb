import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/api/texts.hi.ts')).hindi;

/** Why no answer came. The sentences of refusals are in shared/contract/refusals.ts; their Hindi is in refusals/. */
export const failureTexts = texts(
  (t) => ({
    offline: t('You are offline. Check the connection and try again.'),
    'time-out': t('The portal took too long to respond. Try again.'),
    'no-answer': t('The portal could not be reached. Check the connection and try again.'),
    unreadable: t('This page can’t read the portal’s response. Reload the page.'),
  }),
  hindi,
);
