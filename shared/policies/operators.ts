import type { operatorTeamCalls } from '#shared/contract/operator/operators.ts';
import { everyRole, type Policies } from './policy.ts';

const ofOwners = { roles: ['owner'], sensitive: true, personal: true } as const;

export const operatorTeamPolicies: Policies<typeof operatorTeamCalls> = {
  listOperators: everyRole,
  addOperator: ofOwners,
  changeOperator: ofOwners,
  removeOperator: ofOwners,
  addOperatorDomain: ofOwners,
  removeOperatorDomain: ofOwners,
};
