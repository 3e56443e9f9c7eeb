import type { monthEndCalls } from '#shared/contract/operator/month-end.ts';
import { everyRole, type Policies } from './policy.ts';

export const monthEndPolicies = {
  readMonthEnd: ['owner', 'finance'],
  exportMonthPack: ['owner', 'finance'],
  lockMonth: { roles: ['owner', 'finance'], sensitive: true },
  unlockMonth: { roles: ['owner', 'finance'], sensitive: true },
  listLocks: everyRole,
} satisfies Policies<typeof monthEndCalls>;
