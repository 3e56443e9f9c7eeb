import type { quotaCalls } from '#contract/operator/quota.ts';
import type { Policies } from './policy.ts';

export const quotaPolicies: Policies<typeof quotaCalls> = {
  setQuota: ['owner', 'support'],
};
