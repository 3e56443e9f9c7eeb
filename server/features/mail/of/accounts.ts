import type { Mails } from '#server/features/mail/event-mail.ts';
import * as privacyTexts from '#server/features/mail/privacy-texts.ts';
import * as providerTexts from '#server/features/mail/provider-texts.ts';

/** The mails about the account as a whole. */
export const accountMails = {
  'account.blocked': (event) => ({ letter: providerTexts.accountBlocked(event) }),
  'account.unblocked': (event) => ({ letter: providerTexts.accountUnblocked(event) }),
  'erasure.asked': async (event, { readSender }) => ({
    letter: privacyTexts.erasureAsked(event, await readSender()),
    toSupport: true,
  }),
  'erasure.withdrawn': async (event, { readSender }) => ({
    letter: privacyTexts.erasureWithdrawn(event, await readSender()),
    toSupport: true,
  }),
  'account.erased': (event) => ({
    letter: privacyTexts.accountErased(event),
    documentIds: event.documents.map(({ id }) => id),
    to: event.email,
  }),
} satisfies Partial<Mails>;
