import type { AccessChange } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { newId } from '#server/crypto/ids.ts';
import type { Owner } from '#server/portal.ts';

interface ActivationRow {
  id: string;
  service_id: string;
  created_at: Date;
}

export function selectActivations(owner: Owner, db: Db): Promise<ActivationRow[]> {
  return db
    .selectFrom('activations')
    .select(['id', 'service_id', 'created_at'])
    .where('customer_id', '=', owner.customerId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .execute();
}

export async function insertActivation(owner: Owner, tx: Tx, serviceId: string, now: Date): Promise<string> {
  const { id } = await tx
    .insertInto('activations')
    .values({
      id: newId('ACT'),
      customer_id: owner.customerId,
      service_id: serviceId,
      created_at: now,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateActivationDeleted(
  owner: Owner,
  change: AccessChange,
  activationId: string,
  now: Date,
): Promise<void> {
  change.announce(activationId);
  await change.tx
    .updateTable('activations')
    .set({ deleted_at: now })
    .where('id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .execute();
}
