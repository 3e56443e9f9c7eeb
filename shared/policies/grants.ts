import type { grantCalls } from '#shared/contract/operator/grants.ts';
import type { Policies } from './policy.ts';

export const grantPolicies = {
  grantPlan: ['owner', 'support'],
  withdrawPlan: ['owner', 'support'],
  extendCycle: ['owner', 'support'],
} satisfies Policies<typeof grantCalls>;
