import { operatorCalls, type OperatorCallName } from '#shared/contract/operator/calls.ts';
import { isForTokens, policyOf } from '#shared/policies/policies.ts';
import type { SignedInOperator } from '#server/auth/operator-sessions.ts';
import type { Portal } from '#server/portal.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { refuse } from '#server/refusals/refuse.ts';

/** Calls that the settings of the portal take from everybody. */
const isSwitchedOff = ({ viewDb }: Portal, name: OperatorCallName): boolean =>
  name === 'seeAsCustomer' && viewDb === undefined;

/** May this operator, or this token of an operator, make the call? */
function mayCall({ role, token }: SignedInOperator, name: OperatorCallName): boolean {
  const { roles } = policyOf(name);
  return roles.includes(role) && (token === undefined || (isForTokens(name) && token.scopes.includes(name)));
}

export function requireRight(portal: Portal, operator: SignedInOperator, name: OperatorCallName): void {
  if (!mayCall(operator, name)) throw refuse('forbidden');
  if (isSwitchedOff(portal, name)) throw new OperatorRefusal('The settings of this portal forbid it.', 'forbidden');
}

export const callsOf = (portal: Portal, operator: SignedInOperator): OperatorCallName[] =>
  Object.values(operatorCalls).flatMap(({ name }) =>
    mayCall(operator, name) && !isSwitchedOff(portal, name) ? [name] : [],
  );

/** Refuses money, keys and roles until a passkey has confirmed who sits there. */
export function requireProof({ session }: SignedInOperator, name: OperatorCallName): void {
  if (policyOf(name).sensitive === true && session !== undefined && session.provenUntil === null)
    throw refuse('passkey_required');
}
