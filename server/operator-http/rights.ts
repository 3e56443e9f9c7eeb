import { operatorCalls, type OperatorCallName } from '#shared/contract/operator/calls.ts';
import { isForTokens, policyOf } from '#shared/policies/policies.ts';
import type { SignedInOperator } from '#server/auth/operator-sessions.ts';
import { refuse } from '#server/refusals/refuse.ts';

/** May this operator, or this token of an operator, make the call? */
function mayCall({ role, token }: SignedInOperator, name: OperatorCallName): boolean {
  const { roles } = policyOf(name);
  return roles.includes(role) && (token === undefined || (isForTokens(name) && token.scopes.includes(name)));
}

export function requireRight(operator: SignedInOperator, name: OperatorCallName): void {
  if (!mayCall(operator, name)) throw refuse('forbidden');
}

export const callsOf = (operator: SignedInOperator): OperatorCallName[] =>
  Object.values(operatorCalls).flatMap(({ name }) => (mayCall(operator, name) ? [name] : []));

/** Refuses money, keys and roles until a passkey has confirmed who sits there. */
export function requireProof({ session }: SignedInOperator, name: OperatorCallName): void {
  if (policyOf(name).sensitive === true && session !== undefined && session.provenUntil === null)
    throw refuse('passkey_required');
}
