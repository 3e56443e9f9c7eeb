import type { Db, Tx } from '#shared/database/connect.ts';
import type { Owner } from '#server/portal.ts';

/** Has the owner ever had the trial of this product, in this activation or an earlier one? */
export async function selectTrialUsed(owner: Owner, db: Db | Tx, serviceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('cycles')
    .select('id')
    .where('customer_id', '=', owner.customerId)
    .where('service_id', '=', serviceId)
    .where('tenure', '=', 'TRIAL')
    .where('status', '<>', 'REMOVED')
    .executeTakeFirst();
  return row !== undefined;
}

/** Has the owner ever had this plan of the product, in any activation? */
export async function selectPlanUsed(owner: Owner, db: Db | Tx, serviceId: string, planId: string): Promise<boolean> {
  const rows = await db
    .selectFrom('cycles')
    .select('plan')
    .where('customer_id', '=', owner.customerId)
    .where('service_id', '=', serviceId)
    .execute();
  return rows.some((row) => row.plan.planId === planId);
}
