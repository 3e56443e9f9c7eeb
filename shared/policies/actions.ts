import type { actionCalls } from '#shared/contract/operator/actions.ts';
import { everyRole, type Policies } from './policy.ts';

export const actionPolicies = {
  listActions: everyRole,
} satisfies Policies<typeof actionCalls>;
