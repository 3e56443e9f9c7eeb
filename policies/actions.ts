import type { actionCalls } from '#contract/operator/actions.ts';
import { everyRole, type Policies } from './policy.ts';

export const actionPolicies: Policies<typeof actionCalls> = {
  listActions: everyRole,
};
