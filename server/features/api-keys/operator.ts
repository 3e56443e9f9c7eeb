import type { apiKeyCalls } from '#shared/contract/operator/api-keys.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import { changeAccess } from '#shared/database/access.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { happened } from '#server/features/events/events.ts';
import type { Handlers, OperatorContext } from '#server/operator-handler.ts';
import { revokeKey } from './api-keys.ts';
import { findKeys, findUsableKey, isRevokedAlready, keysOfCustomer } from './find-keys.ts';

export const apiKeyHandlers: Handlers<typeof apiKeyCalls> = {
  findKeys: { read: async (source, { key }) => ({ keys: await findKeys(source, key) }) },
  listKeysOfCustomer: { read: async (source, { customerId }) => ({ keys: await keysOfCustomer(source, customerId) }) },
  revokeKey: {
    preview: async (operator, { key }) => ({ key: await findUsableKey(operator, key), effectiveBy: null }),
    perform: (operator, { key }, cause) => revokeSoughtKey(operator, key, cause),
  },
};

/** Revokes a key for good and tells its customer. Returns when no gateway accepts it any more. */
export async function revokeSoughtKey(
  context: OperatorContext,
  sought: string,
  cause: OperatorCause,
): Promise<OperatorReply<'revokeKey'>> {
  const { result: key, effectiveBy } = await changeAccess(context, async (change) => {
    const { tx } = change;
    const source = { db: tx, clock: context.clock };
    const found = await findUsableKey(source, sought);
    const { id, activationId, customerId, name, hint, productId } = found;
    const at = new Date(context.clock());
    // Somebody else may have revoked it since it was found.
    if (!(await revokeKey({ customerId }, change, activationId, id, at)))
      throw isRevokedAlready((await findKeys(source, id))[0] ?? found);
    // Without its name, which an erasure could not take out of the audit log.
    const effect = { activationId, productId, hint };
    await recordAction(tx, { ...cause, action: 'keys.revoke', target: id, customerId, effect });
    await happened(context, { customerId }, tx, {
      type: 'key.revoked',
      keyId: id,
      keyName: name,
      hint,
      activationId,
      reason: cause.reason,
      at,
    });
    return { ...found, revokedAt: at.toISOString() };
  });
  return { key, effectiveBy };
}
