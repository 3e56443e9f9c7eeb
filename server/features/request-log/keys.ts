import type { Db } from '#shared/database/connect.ts';
import type { Owner } from '#server/portal.ts';

/** The names of a customer's keys, and whether they are test keys, by id; the log has the ids alone. */
export async function selectKeyNames(owner: Owner, db: Db, keyIds: Iterable<string>) {
  const ids = [...new Set(keyIds)];
  if (ids.length === 0) return new Map<string, never>();
  const keys = await db
    .selectFrom('api_keys')
    .select(['id', 'name', 'test'])
    .where('id', 'in', ids)
    .where('customer_id', '=', owner.customerId)
    .execute();
  return new Map(keys.map((key) => [key.id, key]));
}
