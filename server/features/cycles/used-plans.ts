import type { Db, Tx } from '#shared/database/connect.ts';
import type { Caller } from '#server/portal.ts';

/** Has the caller ever had the trial of this product, in this activation or an earlier one? */
export async function selectTrialUsed(caller: Caller, db: Db | Tx, serviceId: string): Promise<boolean> {
  const row = await db
    .selectFrom('cycles')
    .select('id')
    .where('customer_id', '=', caller.customerId)
    .where('service_id', '=', serviceId)
    .where('tenure', '=', 'TRIAL')
    .where('status', '<>', 'REMOVED')
    .executeTakeFirst();
  return row !== undefined;
}

/** Has the caller ever had this plan of the product, in any activation? */
export async function selectPlanUsed(caller: Caller, db: Db | Tx, serviceId: string, planId: string): Promise<boolean> {
  const rows = await db
    .selectFrom('cycles')
    .select('plan')
    .where('customer_id', '=', caller.customerId)
    .where('service_id', '=', serviceId)
    .execute();
  return rows.some((row) => row.plan.planId === planId);
}
