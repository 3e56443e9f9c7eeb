import { mailEvent } from './features/mail/mail.ts';
import { endAsMember } from './features/accountants/accountants.ts';
import { queueWebhooks } from './features/webhooks/webhooks.ts';
import type { Subscriber } from './portal.ts';

/** The subscribers to events; they are called in this order. */
export const subscribers: readonly Subscriber[] = [mailEvent, queueWebhooks, endAsMember];
