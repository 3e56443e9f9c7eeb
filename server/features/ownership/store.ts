import type { Db, Tx } from '#shared/database/connect.ts';
import type { Owner } from '#server/portal.ts';

/** An activation of the owner. Deleted ones are included on request: their history stays readable. */
export function selectActivation(
  owner: Owner,
  db: Db | Tx,
  activationId: string,
  deletedToo: boolean,
): Promise<{ id: string; service_id: string } | undefined> {
  let query = db
    .selectFrom('activations')
    .select(['id', 'service_id'])
    .where('customer_id', '=', owner.customerId)
    .where('id', '=', activationId);
  if (!deletedToo) query = query.where('deleted_at', 'is', null);
  return query.executeTakeFirst();
}

export function selectEveryActivation(owner: Owner, db: Db) {
  return db
    .selectFrom('activations')
    .select(['id', 'service_id', 'deleted_at'])
    .where('customer_id', '=', owner.customerId)
    .execute();
}

/**
 * Locks the owner until the end of the transaction: for what a customer does one at a time, such as what must not exceed a limit over all
 * activations. Take it after an activation's lock. Payments of the customer don't wait for it.
 */
export async function lockCustomer(owner: Owner, tx: Tx): Promise<void> {
  await tx.selectFrom('customers').select('id').where('id', '=', owner.customerId).forNoKeyUpdate().execute();
}

/**
 * Locks an activation of the owner until the end of the transaction: required before any change to its cycles or keys. A deleted one only on
 * request: its payments may still be refunded. Gateways still take units of it and count its calls: they only refer to its row.
 */
export function lockActivation(owner: Owner, tx: Tx, activationId: string, deletedToo = false) {
  let query = tx
    .selectFrom('activations')
    .select(['id', 'service_id'])
    .where('id', '=', activationId)
    .where('customer_id', '=', owner.customerId);
  if (!deletedToo) query = query.where('deleted_at', 'is', null);
  return query.forNoKeyUpdate().executeTakeFirst();
}

/** What keeps anything from being asked of the customer of an activation: it is gone, or the customer is blocked. */
export async function readStanding(
  db: Db | Tx,
  activationId: string,
): Promise<{ isDeleted: boolean; isBlocked: boolean }> {
  const row = await db
    .selectFrom('activations')
    .innerJoin('customers', 'customers.id', 'activations.customer_id')
    .select(['activations.deleted_at', 'customers.blocked_at', 'customers.erased_at'])
    .where('activations.id', '=', activationId)
    .executeTakeFirstOrThrow();
  return { isDeleted: row.deleted_at !== null || row.erased_at !== null, isBlocked: row.blocked_at !== null };
}
