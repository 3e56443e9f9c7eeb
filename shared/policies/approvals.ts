import type { approvalCalls } from '#shared/contract/operator/approvals.ts';
import { everyRole, type Policies } from './policy.ts';

/** To approve, also the right to make the call; to decline, no more: nothing stays that only its requester could end. */
const ofPeople = { roles: ['owner', 'support', 'finance'], never: ['token', 'command'] } as const;

export const approvalPolicies = {
  listApprovals: everyRole,
  approve: { ...ofPeople, sensitive: true },
  decline: ofPeople,
} satisfies Policies<typeof approvalCalls>;
