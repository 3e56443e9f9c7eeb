import type { approvalCalls } from '#shared/contract/operator/approvals.ts';
import { everyRole, type Policies } from './policy.ts';

/** And the right to make the call that is approved. */
const ofPeople = { roles: ['owner', 'support', 'finance'], never: ['token', 'command'] } as const;

export const approvalPolicies: Policies<typeof approvalCalls> = {
  listApprovals: everyRole,
  approve: { ...ofPeople, sensitive: true },
  decline: ofPeople,
};
