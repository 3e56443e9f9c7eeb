import type { webhookCalls } from '#shared/contract/operator/webhooks.ts';
import { everyRole, type Policies } from './policy.ts';

export const webhookPolicies: Policies<typeof webhookCalls> = {
  listWebhooks: everyRole,
};
