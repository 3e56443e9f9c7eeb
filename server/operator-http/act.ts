import type { ActionName } from '#shared/contract/operator/calls.ts';
import { policyOf } from '#shared/policies/policies.ts';
import { type ActingOperator, actingAs, requireUnusedKey } from '#server/audit-log/acting-operator.ts';
import type { SignedInOperator } from '#server/auth/operator-sessions.ts';
import { actUntyped } from '#server/operator-calls.ts';
import type { Portal } from '#server/portal.ts';
import { requireProof } from './rights.ts';

/** An action as it was asked for over HTTP. */
export interface ActionRequest {
  name: ActionName;
  input: unknown;
  reason: string;
  requestId: string;
  idempotencyKey: string | undefined;
}

/** Performs an action for an operator: whether it is allowed is asked again in the transaction of its effect. */
export async function act(portal: Portal, operator: SignedInOperator, request: ActionRequest): Promise<unknown> {
  const { name, input, reason } = request;
  requireProof(operator, name);
  const acting = actingFor(portal, operator, request);
  await requireUnusedKey(portal.db, acting);
  return actingAs(acting, () => actUntyped(portal, operator.role, name, input, { actor: actorOf(operator), reason }));
}

export function actingFor(portal: Portal, operator: SignedInOperator, request: ActionRequest): ActingOperator {
  const { operatorId, token } = operator;
  const { name, requestId, idempotencyKey } = request;
  return {
    requestId,
    operatorId,
    tokenId: token?.id,
    mayStill: (role) => policyOf(name).roles.includes(role),
    idempotencyKey,
    at: new Date(portal.machineClock()),
  };
}

/** Who the audit log names: with a token, its name too. */
const actorOf = ({ email, token }: SignedInOperator): string =>
  token === undefined ? email : `${email} (${token.name})`;
