import type { operatorTeamCalls } from '#shared/contract/operator/operators.ts';
import { everyRole, type Policies } from './policy.ts';

const ofOwners = { roles: ['owner'], sensitive: true, never: ['token'] } as const;

export const operatorTeamPolicies = {
  listOperators: everyRole,
  addOperator: ofOwners,
  changeOperator: ofOwners,
  removeOperator: ofOwners,
  addOperatorDomain: ofOwners,
  removeOperatorDomain: ofOwners,
} satisfies Policies<typeof operatorTeamCalls>;
