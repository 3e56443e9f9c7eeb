import type { OperatorCallName, OperatorCalls } from '#shared/contract/operator/calls.ts';
import { actionPolicies } from './actions.ts';
import { apiKeyPolicies } from './api-keys.ts';
import { bookkeepingPolicies } from './bookkeeping.ts';
import { documentPolicies } from './documents.ts';
import { refundPolicies } from './refunds.ts';
import { customerPolicies } from './customers.ts';
import { grantPolicies } from './grants.ts';
import { paymentPolicies } from './payments.ts';
import type { OperatorRole, Policies } from './policy.ts';
import { privacyPolicies } from './privacy.ts';
import { quotaPolicies } from './quota.ts';
import { supportPolicies } from './support.ts';
import { tdsPolicies } from './tds.ts';
import { waitingPolicies } from './waiting.ts';

/** Which roles may make each call of operators. */
export const policies: Policies<OperatorCalls> = {
  ...actionPolicies,
  ...apiKeyPolicies,
  ...customerPolicies,
  ...refundPolicies,
  ...documentPolicies,
  ...bookkeepingPolicies,
  ...grantPolicies,
  ...paymentPolicies,
  ...privacyPolicies,
  ...quotaPolicies,
  ...supportPolicies,
  ...tdsPolicies,
  ...waitingPolicies,
};

export const mayCall = (role: OperatorRole, name: OperatorCallName): boolean => policies[name].includes(role);
