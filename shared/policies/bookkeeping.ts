import type { bookkeepingCalls } from '#shared/contract/operator/bookkeeping.ts';
import { everyRole, type Policies } from './policy.ts';

export const bookkeepingPolicies = {
  lockMonth: ['owner', 'finance'],
  unlockMonth: ['owner', 'finance'],
  listLocks: everyRole,
} satisfies Policies<typeof bookkeepingCalls>;
