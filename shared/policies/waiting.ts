import type { waitingCalls } from '#shared/contract/operator/waiting.ts';
import { everyRole, type Policies } from './policy.ts';

export const waitingPolicies: Policies<typeof waitingCalls> = {
  listWaiting: everyRole,
};
