import type { Mails } from '../event-mail.ts';
import * as providerTexts from '../provider-texts.ts';
import * as texts from '../texts.ts';

/** The mails about keys and webhooks. */
export const keyMails = {
  'key.new_network': (event) => ({ letter: texts.keyFromNewNetwork(event) }),
  'key.revoked': (event) => ({ letter: providerTexts.keyRevoked(event) }),
  'webhook.disabled': ({ url, reason }) => ({ letter: texts.webhookDisabled(url, reason) }),
} satisfies Partial<Mails>;
