import type { Db, Tx } from '#database/connect.ts';
import type { Caller } from '#server/portal.ts';

export interface ApiKeyRow {
  id: string;
  name: string;
  hint: string;
  created_at: Date;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

export function selectApiKeys(caller: Caller, db: Db, activationId: string): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_keys')
    .select((select) => [
      'id',
      'name',
      'hint',
      'created_at',
      'revoked_at',
      select
        .selectFrom('usage_counts')
        .select((used) => used.fn.max('last_at').as('last_at'))
        .whereRef('usage_counts.key_id', '=', 'api_keys.id')
        .as('last_used_at'),
    ])
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', caller.customerId)
    .orderBy('created_at', 'desc')
    .execute();
}

export async function countActive(caller: Caller, db: Db | Tx, activationId?: string): Promise<number> {
  let query = db
    .selectFrom('api_keys')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('customer_id', '=', caller.customerId)
    .where('revoked_at', 'is', null);
  if (activationId !== undefined) query = query.where('activation_id', '=', activationId);
  const { count } = await query.executeTakeFirstOrThrow();
  return count;
}

export async function insertApiKey(
  caller: Caller,
  tx: Tx,
  key: { id: string; activationId: string; name: string; hash: Buffer; hint: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('api_keys')
    .values({
      id: key.id,
      activation_id: key.activationId,
      customer_id: caller.customerId,
      name: key.name,
      key_hash: key.hash,
      hint: key.hint,
      created_at: key.now,
      revoked_at: null,
    })
    .execute();
}

/** False when there is no such key of the caller. A key that is revoked already stays as it was. */
export async function updateKeyRevoked(
  caller: Caller,
  tx: Tx,
  activationId: string,
  keyId: string,
  now: Date,
): Promise<boolean> {
  const key = await tx
    .updateTable('api_keys')
    .set((column) => ({ revoked_at: column.fn.coalesce('revoked_at', column.val(now)) }))
    .where('id', '=', keyId)
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', caller.customerId)
    .returning('id')
    .executeTakeFirst();
  return key !== undefined;
}

export async function updateKeysRevoked(caller: Caller, tx: Tx, activationId: string, now: Date): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', caller.customerId)
    .where('revoked_at', 'is', null)
    .execute();
}
