import type * as calls from '#shared/contract/webhooks.ts';
import { type MemberPolicies, technical } from './member-policy.ts';

/** An address and what was sent there may hold tokens, so that a viewer sees neither. */
export const webhooksRights = {
  listWebhooks: technical,
  createWebhook: technical,
  updateWebhook: technical,
  deleteWebhook: technical,
  rollWebhookSecret: technical,
  testWebhook: technical,
  listWebhookDeliveries: technical,
  listWebhookAttempts: technical,
  replayWebhookDelivery: technical,
} satisfies MemberPolicies<typeof calls>;
