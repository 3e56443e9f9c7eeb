import type { quotaCalls } from '#shared/contract/operator/quota.ts';
import type { Policies } from './policy.ts';

export const quotaPolicies = {
  setQuota: ['owner', 'support'],
  overrideCallsPerSecond: ['owner', 'support'],
} satisfies Policies<typeof quotaCalls>;
