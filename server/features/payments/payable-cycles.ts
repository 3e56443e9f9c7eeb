import type { Db, Tx } from '#shared/database/connect.ts';
import { condition } from '#shared/database/expressions.ts';
import { leastDuePaise } from '#shared/domain/pay-later.ts';
import type { Owner } from '#server/portal.ts';

/** One that is deleted may have a bill that is still to be paid (decision 081). Nobody pays for an erased customer. */
const isPayable = condition`(activations.deleted_at is null or exists (select from credit_bills b join cycles c on c.id = b.cycle_id
  where c.activation_id = activations.id and b.owed_paise >= ${leastDuePaise})) and not is_erased(activations.customer_id)`;

/** The cycle for an id: the cycle itself, or an activation's first unpaid one (product §8). Locks its activation first. */
export async function selectCycleToPay(owner: Owner, tx: Tx, id: string) {
  const locked = await tx
    .selectFrom('activations')
    .select('id')
    .where('customer_id', '=', owner.customerId)
    .where(isPayable)
    .where((where) =>
      where.or([
        where('id', '=', id),
        where('id', 'in', where.selectFrom('cycles').select('activation_id').where('cycles.id', '=', id)),
      ]),
    )
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!locked) return undefined;
  // A separate statement: one that waited for the lock would still see the cycles of before.
  const cycles = await tx
    .selectFrom('cycles')
    .selectAll()
    .where('customer_id', '=', owner.customerId)
    .where((where) => where.or([where('id', '=', id), where('activation_id', '=', id)]))
    .orderBy('from_date')
    .orderBy('created_at')
    .execute();
  return cycles.find((cycle) => cycle.status === 'PAYMENT_PENDING') ?? cycles[0];
}

/** Is this an activation of the owner (which then has nothing to pay)? */
export async function selectOwnsActivation(owner: Owner, tx: Tx, activationId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('activations')
    .select('id')
    .where('id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The cycles of an activation with these ids, earliest first. Undefined when one is not there. Locks the activation. */
export async function selectCyclesToPay(owner: Owner, tx: Tx, activationId: string, cycleIds: readonly string[]) {
  const locked = await tx
    .selectFrom('activations')
    .select('id')
    .where('id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .where(isPayable)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return locked && selectNamedCycles(owner, tx, activationId, cycleIds);
}

/** The same, without the lock. */
export async function selectNamedCycles(owner: Owner, db: Db | Tx, activationId: string, cycleIds: readonly string[]) {
  const cycles = await db
    .selectFrom('cycles')
    .selectAll()
    .where('activation_id', '=', activationId)
    .where('customer_id', '=', owner.customerId)
    .where('id', 'in', cycleIds)
    .where('activation_id', 'in', (of) => of.selectFrom('activations').select('id').where(isPayable))
    .orderBy('from_date')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return cycles.length === new Set(cycleIds).size ? cycles : undefined;
}
