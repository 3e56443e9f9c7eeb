import type { OperatorCallName, OperatorCalls } from '#shared/contract/operator/calls.ts';
import { actionPolicies } from './actions.ts';
import { apiKeyPolicies } from './api-keys.ts';
import { approvalPolicies } from './approvals.ts';
import { bookkeepingPolicies } from './bookkeeping.ts';
import { documentPolicies } from './documents.ts';
import { refundPolicies } from './refunds.ts';
import { customerPolicies } from './customers.ts';
import { creditPolicies } from './credit.ts';
import { figurePolicies } from './figures.ts';
import { catalogPolicies } from './catalog.ts';
import { grantPolicies } from './grants.ts';
import { mandatePolicies } from './mandates.ts';
import { operatorTeamPolicies } from './operators.ts';
import { payLinkPolicies } from './pay-links.ts';
import { paymentPolicies } from './payments.ts';
import type { OperatorRole, Policies, Policy } from './policy.ts';
import { privacyPolicies } from './privacy.ts';
import { quotaPolicies } from './quota.ts';
import { supportPolicies } from './support.ts';
import { taxClaimPolicies } from './tax-claims.ts';
import { tdsPolicies } from './tds.ts';
import { tokenPolicies } from './tokens.ts';
import { transferPolicies } from './transfers.ts';
import { cyclePolicies } from './cycles.ts';
import { memberOperatorPolicies } from './members-of-customers.ts';
import { mailPolicies } from './mail.ts';
import { monthEndPolicies } from './month-end.ts';
import { requestLogPolicies } from './request-log.ts';
import { endpointPolicies } from './endpoints.ts';
import { settlementPolicies } from './settlements.ts';
import { webhookPolicies } from './webhooks.ts';
import { waitingPolicies } from './waiting.ts';

const policies = {
  ...actionPolicies,
  ...apiKeyPolicies,
  ...creditPolicies,
  ...customerPolicies,
  ...refundPolicies,
  ...documentPolicies,
  ...approvalPolicies,
  ...bookkeepingPolicies,
  ...monthEndPolicies,
  ...settlementPolicies,
  ...figurePolicies,
  ...catalogPolicies,
  ...grantPolicies,
  ...mandatePolicies,
  ...operatorTeamPolicies,
  ...payLinkPolicies,
  ...paymentPolicies,
  ...privacyPolicies,
  ...quotaPolicies,
  ...supportPolicies,
  ...taxClaimPolicies,
  ...tdsPolicies,
  ...tokenPolicies,
  ...transferPolicies,
  ...cyclePolicies,
  ...mailPolicies,
  ...memberOperatorPolicies,
  ...requestLogPolicies,
  ...endpointPolicies,
  ...webhookPolicies,
  ...waitingPolicies,
} satisfies Policies<OperatorCalls>;

/** The actions that one person may decide only up to an amount. */
export type MoneyAction = {
  [Name in keyof OperatorCalls]: (typeof policies)[Name] extends { amount: string } ? OperatorCalls[Name] : never;
}[keyof OperatorCalls]['action'];

const isPolicy = (policy: readonly OperatorRole[] | Policy): policy is Policy => 'roles' in policy;

/** Who may make a call of operators, and what else holds for it. */
export function policyOf(name: OperatorCallName): Policy {
  const policy: readonly OperatorRole[] | Policy = policies[name];
  return isPolicy(policy) ? policy : { roles: policy };
}

export const mayCall = (role: OperatorRole, name: OperatorCallName): boolean => policyOf(name).roles.includes(role);

/** May a token make the call, if it is among its scopes? */
export const isForTokens = (name: OperatorCallName): boolean => policyOf(name).never?.includes('token') !== true;
