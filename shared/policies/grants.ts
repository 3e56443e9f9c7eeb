import type { grantCalls } from '#shared/contract/operator/grants.ts';
import type { Policies } from './policy.ts';

/** A plan at no price is worth what it would cost. */
const gives = { roles: ['owner', 'support'], sensitive: true, amount: 'worth' } as const;

export const grantPolicies = {
  grantPlan: gives,
  withdrawPlan: ['owner', 'support'],
  extendCycle: gives,
} satisfies Policies<typeof grantCalls>;
