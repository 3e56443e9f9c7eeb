import type { ActionName, OperatorCallName } from '#shared/contract/operator/calls.ts';
import { toPaise } from '#shared/domain/money.ts';
import { mayCall, policyOf } from '#shared/policies/policies.ts';
import { type ActingOperator, actingAs, NeedsApproval, requireWithinLimit } from '#server/audit-log/acting-operator.ts';
import type { OperatorCause } from '#server/audit-log/audit-log.ts';
import { requireUnusedKey } from '#server/audit-log/idempotency-keys.ts';
import type { SignedInOperator } from '#server/auth/operator-sessions.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { actorWith, moneyIn, requestApproval } from '#server/features/operators/approvals.ts';
import { strictestApprovalRupees } from '#server/document-settings.ts';
import { actUntyped, previewUntyped } from '#server/operator-calls.ts';
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

/**
 * Performs an action for an operator: whether it is allowed is asked again in the transaction of its effect. With more money than one person
 * may decide it waits for another one.
 */
export async function act(portal: Portal, operator: SignedInOperator, request: ActionRequest): Promise<unknown> {
  const { name, input, reason } = request;
  requireProof(operator, name);
  const cause = { actor: actorOf(operator), reason };
  const acting = actingFor(portal, operator, request);
  await requireUnusedKey(portal.db, acting);
  const money = await moneyOf(portal, acting, request, cause);
  const withMoney = money === undefined ? acting : { ...acting, money };
  try {
    await requireWithinLimit(portal.db, withMoney);
    return await actingAs(withMoney, () => actUntyped(portal, operator.role, name, input, cause));
  } catch (error) {
    if (error instanceof NeedsApproval) return requestApproval(portal, withMoney, request);
    throw error;
  }
}

/** What an action with an amount would move; nothing where there is no limit. */
async function moneyOf(portal: Portal, acting: ActingOperator, { name, input }: ActionRequest, cause: OperatorCause) {
  if (policyOf(name).amount === undefined) return undefined;
  const limit = await strictestApprovalRupees(portal.db, portal.settings.operatorApprovalRupees);
  if (limit === 0) return undefined;
  const preview = await actingAs(acting, () => previewUntyped(portal, acting.role, name, input, cause));
  const money = moneyIn(name, preview);
  return money && { ...money, limitPaise: toPaise(limit) };
}

export function preview(portal: Portal, operator: SignedInOperator, request: ActionRequest): Promise<unknown> {
  const { name, input, reason } = request;
  const cause = { actor: actorOf(operator), reason };
  return actingAs(actingFor(portal, operator, request), () =>
    previewUntyped(portal, operator.role, name, input, cause),
  );
}

/** Who acts in a request, whose right each transaction of it asks again. */
export function actingFor(
  portal: Portal,
  operator: SignedInOperator,
  request: Pick<ActionRequest, 'input' | 'requestId' | 'idempotencyKey'> & { name: OperatorCallName },
): ActingOperator {
  const { operatorId, role, session, token } = operator;
  const { name, input, requestId, idempotencyKey } = request;
  return {
    requestId,
    operatorId,
    role,
    tokenId: token?.id,
    sessionHash: session?.hash,
    mayStill: (now) => mayCall(now, name),
    key:
      idempotencyKey === undefined ? undefined : { text: idempotencyKey, asked: sha256(JSON.stringify([name, input])) },
    at: new Date(portal.machineClock()),
  };
}

export const actorOf = ({ email, token }: SignedInOperator): string => actorWith(email, token?.name);
