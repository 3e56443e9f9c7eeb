import type { Db, Tx } from '#shared/database/connect.ts';

/** Has the provider blocked the customer (product §3.7)? */
export async function isBlocked(db: Db | Tx, customerId: string): Promise<boolean> {
  const found = await db
    .selectFrom('customers')
    .select('id')
    .where('id', '=', customerId)
    .where('blocked_at', 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}
