import type { OperatorCallName, OperatorCalls } from '#contract/operator/calls.ts';
import { apiKeyPolicies } from './api-keys.ts';
import { grantPolicies } from './grants.ts';
import { paymentPolicies } from './payments.ts';
import type { OperatorRole, Policies } from './policy.ts';
import { quotaPolicies } from './quota.ts';

/** Which roles may make each call of operators. */
export const policies: Policies<OperatorCalls> = {
  ...apiKeyPolicies,
  ...grantPolicies,
  ...paymentPolicies,
  ...quotaPolicies,
};

export const mayCall = (role: OperatorRole, name: OperatorCallName): boolean => policies[name].includes(role);
