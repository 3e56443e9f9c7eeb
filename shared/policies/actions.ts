import type { actionCalls } from '#shared/contract/operator/actions.ts';
import { everyRole, type Policies } from './policy.ts';

export const actionPolicies: Policies<typeof actionCalls> = {
  listActions: everyRole,
};
