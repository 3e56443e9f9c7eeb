import type { AccessChange } from '#database/access.ts';
import type { Db, Tx } from '#database/connect.ts';
import { newId } from '#server/platform/ids.ts';
import type { Caller } from '#server/portal.ts';

export interface ActivationRow {
  id: string;
  service_id: string;
  created_at: Date;
}

export function selectActivations(caller: Caller, db: Db): Promise<ActivationRow[]> {
  return db
    .selectFrom('activations')
    .select(['id', 'service_id', 'created_at'])
    .where('customer_id', '=', caller.customerId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .execute();
}

export function selectEveryActivation(caller: Caller, db: Db) {
  return db
    .selectFrom('activations')
    .select(['id', 'service_id', 'deleted_at'])
    .where('customer_id', '=', caller.customerId)
    .execute();
}

/** An activation of the caller. A deleted one is found too when asked for: its history stays readable. */
export function selectActivation(
  caller: Caller,
  db: Db | Tx,
  activationId: string,
  deletedToo = false,
): Promise<ActivationRow | undefined> {
  let query = db
    .selectFrom('activations')
    .select(['id', 'service_id', 'created_at'])
    .where('customer_id', '=', caller.customerId)
    .where('id', '=', activationId);
  if (!deletedToo) query = query.where('deleted_at', 'is', null);
  return query.executeTakeFirst();
}

export async function insertActivation(caller: Caller, tx: Tx, serviceId: string, now: Date): Promise<string> {
  const { id } = await tx
    .insertInto('activations')
    .values({
      id: newId('ACT'),
      customer_id: caller.customerId,
      service_id: serviceId,
      created_at: now,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateActivationDeleted(
  caller: Caller,
  change: AccessChange,
  activationId: string,
  now: Date,
): Promise<void> {
  change.announce(activationId);
  await change.tx
    .updateTable('activations')
    .set({ deleted_at: now })
    .where('id', '=', activationId)
    .where('customer_id', '=', caller.customerId)
    .execute();
}
