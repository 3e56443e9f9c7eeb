import type { quotaCalls } from '#shared/contract/operator/quota.ts';
import type { Policies } from './policy.ts';

export const quotaPolicies: Policies<typeof quotaCalls> = {
  setQuota: ['owner', 'support'],
  overrideCallsPerSecond: ['owner', 'support'],
};
