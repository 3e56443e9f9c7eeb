import type { webhookCalls } from '#shared/contract/operator/webhooks.ts';
import { everyRole, type Policies } from './policy.ts';

export const webhookPolicies = {
  listWebhooks: everyRole,
} satisfies Policies<typeof webhookCalls>;
