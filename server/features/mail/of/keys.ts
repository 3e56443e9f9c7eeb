import type { Mails } from '#server/features/mail/event-mail.ts';
import * as providerTexts from '#server/features/mail/provider-texts.ts';
import * as texts from '#server/features/mail/texts.ts';

/** The mails about keys and webhooks. */
export const keyMails = {
  'key.new_network': (event) => ({ letter: texts.keyFromNewNetwork(event) }),
  'key.revoked': (event) => ({ letter: providerTexts.keyRevoked(event) }),
  'webhook.disabled': ({ url, reason }) => ({ letter: texts.webhookDisabled(url, reason) }),
} satisfies Partial<Mails>;
