import type { FoundKey } from '#shared/contract/operator/api-keys.ts';
import { escapeLike } from '#shared/database/expressions.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { isWellFormedApiKey, keyPrefixLength } from '#shared/domain/api-key.ts';
import { istTime } from '#shared/domain/day.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { requireCustomer } from '#server/features/ownership/ownership.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** More are of no use to anybody. */
const maxFound = 50;

/** Keys of all customers as operators see them, newest first. */
const everyKey = (db: Db | Tx) =>
  db
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
    .orderBy('key.created_at', 'desc');

type KeyRow = Awaited<ReturnType<ReturnType<typeof everyKey>['execute']>>[number];

/** Where keys are looked for, and the clock by which they expire. */
type Source = { db: Db | Tx; clock: () => number };

const foundKey = ({ createdAt, revokedAt, expiresAt, ...key }: KeyRow, nowMs: number): FoundKey => ({
  ...key,
  createdAt: createdAt.toISOString(),
  revokedAt: revokedAt?.toISOString() ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
  isExpired: expiresAt !== null && expiresAt.getTime() <= nowMs,
});

/**
 * Keys by an id (`KEY-…`), the whole key, or its first characters: at least two after `gstk_live_`. Spaces and what follows the first
 * characters, as in `gstk_live_Ab12Cd…`, are ignored. Throws OperatorRefusal for anything else.
 */
export async function findKeys({ db, clock }: Source, sought: string): Promise<FoundKey[]> {
  const rows = await byText(everyKey(db).limit(maxFound), sought.trim()).execute();
  return rows.map((row) => foundKey(row, clock()));
}

function byText(found: ReturnType<typeof everyKey>, text: string) {
  if (text.startsWith('KEY-')) return found.where('key.id', '=', text);
  if (isWellFormedApiKey(text)) return found.where('key.key_hash', '=', sha256(text));
  const [prefix] = /^gstk_(?:live|test)_[0-9A-Za-z]{2,}/.exec(text) ?? [];
  if (prefix === undefined)
    throw new OperatorRefusal(
      `This is not a key. Give its id (KEY-…), the whole key, or its beginning with at least two characters after gstk_live_ or gstk_test_.`,
      'invalid_request',
    );
  return found.where('key.prefix', 'like', `${escapeLike(prefix.slice(0, keyPrefixLength))}%`);
}

/** All keys of a customer, newest first, revoked ones too. Throws OperatorRefusal when there is no such customer. */
export async function keysOfCustomer({ db, clock }: Source, customerId: string): Promise<FoundKey[]> {
  const id = customerId.trim();
  const rows = await everyKey(db).where('key.customer_id', '=', id).execute();
  if (rows.length === 0) await requireCustomer(db, id);
  return rows.map((row) => foundKey(row, clock()));
}

/** The one key that is not revoked; throws OperatorRefusal when it is none or several. */
export async function findUsableKey(source: Source, sought: string): Promise<FoundKey> {
  const found = await findKeys(source, sought);
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
    'not_found',
  );
}

export function isRevokedAlready({ id, revokedAt }: FoundKey): OperatorRefusal {
  const since = revokedAt === null ? '' : `, since ${istTime(new Date(revokedAt))}`;
  return new OperatorRefusal(`The key ${id} is revoked already${since}.`, 'nothing_to_change');
}
