import { changeAccess } from '#database/access.ts';
import type { Db, Tx } from '#database/connect.ts';
import { isWellFormedApiKey, keyPrefixLength } from '#domain/api-key.ts';
import { istTime } from '#domain/day.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { revokeKey as revokeKeyOf } from '#server/features/api-keys/api-keys.ts';
import { happened } from '#server/features/events/events.ts';
import type { OperatorContext } from '#server/operator-context.ts';
import { OperatorRefusal } from './refusal.ts';

/** A key as an operator sees it; nobody sees the key itself. */
export interface FoundKey {
  id: string;
  name: string;
  /** Its first characters; null for a key from before they were stored. */
  prefix: string | null;
  /** Its last four characters. */
  hint: string;
  isTest: boolean;
  createdAt: Date;
  revokedAt: Date | null;
  expiresAt: Date | null;
  activationId: string;
  productId: string;
  customerId: string;
  customerName: string;
  customerEmail: string;
}

/** More are of no use to anybody. */
const maxFound = 50;

/**
 * Keys by an id (`KEY-…`), the whole key, or its first characters: at least two after `gstk_live_`. Spaces and what follows the first
 * characters, as in `gstk_live_Ab12Cd…`, are ignored. Throws OperatorRefusal for anything else.
 */
export async function findKeys(db: Db | Tx, sought: string): Promise<FoundKey[]> {
  const text = sought.trim();
  const found = db
    .selectFrom('api_keys as key')
    .innerJoin('activations as activation', 'activation.id', 'key.activation_id')
    .innerJoin('customers as customer', 'customer.id', 'key.customer_id')
    .select([
      'key.id',
      'key.name',
      'key.prefix',
      'key.hint',
      'key.test as isTest',
      'key.created_at as createdAt',
      'key.revoked_at as revokedAt',
      'key.expires_at as expiresAt',
      'key.activation_id as activationId',
      'activation.service_id as productId',
      'key.customer_id as customerId',
      'customer.name as customerName',
      'customer.email as customerEmail',
    ])
    .orderBy('key.created_at', 'desc')
    .limit(maxFound);
  if (text.startsWith('KEY-')) return found.where('key.id', '=', text).execute();
  if (isWellFormedApiKey(text)) return found.where('key.key_hash', '=', sha256(text)).execute();
  const [prefix] = /^gstk_(?:live|test)_[0-9A-Za-z]{2,}/.exec(text) ?? [];
  if (prefix === undefined)
    throw new OperatorRefusal(
      `${JSON.stringify(text)} is not a key. Give its id (KEY-…), the whole key, or its beginning with at least two characters after gstk_live_ or gstk_test_.`,
    );
  return found.where('key.prefix', 'like', `${escapeLike(prefix.slice(0, keyPrefixLength))}%`).execute();
}

/** A text for LIKE, which finds it as it is. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** The one key that can still be used; throws OperatorRefusal when it is none or several. */
export async function findUsableKey(db: Db | Tx, sought: string): Promise<FoundKey> {
  const found = await findKeys(db, sought);
  const usable = found.filter(({ revokedAt }) => revokedAt === null);
  const [key] = usable;
  if (usable.length > 1)
    throw new OperatorRefusal(
      `${usable.length} keys begin like this: ${usable.map(({ id }) => id).join(', ')}. Give the id of one, or more of the key.`,
    );
  if (key !== undefined) return key;
  const [revoked] = found;
  if (revoked !== undefined) throw isRevokedAlready(revoked);
  throw new OperatorRefusal(
    'There is no such key. A key from before its beginning was stored is found by its id or the whole key.',
  );
}

function isRevokedAlready({ id, revokedAt }: FoundKey): OperatorRefusal {
  const since = revokedAt === null ? '' : `, since ${istTime(revokedAt)}`;
  return new OperatorRefusal(`The key ${id} is revoked already${since}.`);
}

export interface RevokedKey {
  key: FoundKey;
  /** Null when every living gateway refuses it; otherwise from this moment (ISO 8601) none accepts it. */
  effectiveBy: string | null;
}

/** Revokes a key for good and tells its customer. Returns when no gateway accepts it any more. */
export async function revokeKey(context: OperatorContext, sought: string, cause: OperatorCause): Promise<RevokedKey> {
  const { result: key, effectiveBy } = await changeAccess(context, async (change) => {
    const { tx } = change;
    const found = await findUsableKey(tx, sought);
    const { id, activationId, customerId, name, hint, productId } = found;
    const at = new Date(context.clock());
    // Somebody else may have revoked it since it was found.
    if (!(await revokeKeyOf({ customerId }, change, activationId, id, at)))
      throw isRevokedAlready((await findKeys(tx, id))[0] ?? found);
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
    return { ...found, revokedAt: at };
  });
  return { key, effectiveBy };
}
