import { productName } from '#catalog/catalog.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { noSuchCustomer } from '#server/refusals/operator-refusal.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { selectActivation, selectEveryActivation } from './store.ts';

export { lockActivation, lockCustomer, readStanding } from './store.ts';

/** The owner’s activation; refuses another one, without revealing whether it exists (product §8.2). */
export async function requireActivation(
  owner: Owner,
  db: Db | Tx,
  activationId: string,
  deletedToo = false,
): Promise<{ id: string; service_id: string }> {
  const activation = await selectActivation(owner, db, activationId, deletedToo);
  if (!activation) throw refuse('not_found');
  return activation;
}

/** Throws OperatorRefusal when there is no such customer. */
export async function requireCustomer(db: Db | Tx, id: string): Promise<void> {
  const customer = await db.selectFrom('customers').select('id').where('id', '=', id).executeTakeFirst();
  if (!customer) throw noSuchCustomer(id);
}

/** Every activation that the customer has or had, by id, for records that may refer to a deleted one. */
export async function listEveryActivation(portal: Portal, owner: Owner) {
  const rows = await selectEveryActivation(owner, portal.db);
  return new Map(
    rows.map(({ id, service_id: serviceId, deleted_at: deletedAt }) => [
      id,
      { id, service: productName(portal.catalog, serviceId), deletedAt: deletedAt?.toISOString() ?? null },
    ]),
  );
}
