import { changeAccess } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import type { Portal } from '#server/portal.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import { endForCause } from './end-cycle.ts';

/**
 * Removes the unpaid packs of plans that ended on their date, and closes their orders: they cannot be paid any more (product §4.23). A
 * plan that ends early takes its packs with it at once.
 */
export async function removeLatePacks(portal: Portal, items = unrecorded): Promise<void> {
  const today = dayOf(portal.clock());
  for (const { id, customer_id: customerId, activation_id: activationId } of await selectLatePacks(
    portal.db,
    today,
  ).execute()) {
    const owner = { customerId };
    await items.each(id, () =>
      changeAccess(portal, async (change) => {
        if (!(await lockActivation(owner, change.tx, activationId))) return;
        // Its owner may have ended it meanwhile.
        const [late] = await selectLatePacks(change.tx, today).where('id', '=', id).execute();
        if (late) await endForCause(portal, owner, change, late, 'deactivated');
      }),
    );
  }
}

function selectLatePacks(db: Db | Tx, today: Day) {
  return db
    .selectFrom('cycles')
    .select(['id', 'customer_id', 'activation_id', 'status'])
    .where('adds_to', 'is not', null)
    .where('status', '=', 'PAYMENT_PENDING')
    .where('to_date', '<=', today);
}
