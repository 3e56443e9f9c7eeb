import type { quotaCalls } from '#shared/contract/operator/quota.ts';
import type { Policies } from './policy.ts';

export const quotaPolicies = {
  setQuota: { roles: ['owner', 'support'], sensitive: true, amount: 'worth' },
  // No worth: it adds no unit to a quota.
  overrideCallsPerSecond: { roles: ['owner', 'support'], sensitive: true },
} satisfies Policies<typeof quotaCalls>;
