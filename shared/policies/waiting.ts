import type { waitingCalls } from '#shared/contract/operator/waiting.ts';
import { everyRole, type Policies } from './policy.ts';

export const waitingPolicies = {
  listWaiting: everyRole,
} satisfies Policies<typeof waitingCalls>;
