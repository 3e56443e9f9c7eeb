import type { memberOperatorCalls } from '#shared/contract/operator/members.ts';
import { everyRole, type Policies } from './policy.ts';

export const memberOperatorPolicies = {
  readMembers: everyRole,
  forgetMember: ['owner', 'support'],
  // Whoever begins again has the trials and the free quota again.
  allowNewAccount: ['owner', 'support'],
} satisfies Policies<typeof memberOperatorCalls>;
