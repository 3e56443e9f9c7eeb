import type { bookkeepingCalls } from '#shared/contract/operator/bookkeeping.ts';
import { everyRole, type Policies } from './policy.ts';

export const bookkeepingPolicies: Policies<typeof bookkeepingCalls> = {
  lockMonth: ['owner', 'finance'],
  unlockMonth: ['owner', 'finance'],
  listLocks: everyRole,
};
