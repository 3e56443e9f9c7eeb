import { mailEvent } from './features/mail/mail.ts';
import { queueWebhooks } from './features/webhooks/webhooks.ts';
import type { Subscriber } from './portal.ts';

/** Who hears of events, in this order. */
export const subscribers: readonly Subscriber[] = [mailEvent, queueWebhooks];
