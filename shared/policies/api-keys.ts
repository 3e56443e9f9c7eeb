import type { apiKeyCalls } from '#shared/contract/operator/api-keys.ts';
import { everyRole, type Policies } from './policy.ts';

export const apiKeyPolicies = {
  findKeys: everyRole,
  listKeysOfCustomer: everyRole,
  revokeKey: { roles: ['owner', 'support'], sensitive: true },
} satisfies Policies<typeof apiKeyCalls>;
