import type { Db, Tx } from '#database/connect.ts';
import type { Caller } from '#server/portal.ts';

/** False when the payment has a refund already: there is never a second. */
export async function insertRefund(
  caller: Caller,
  tx: Tx,
  refund: { id: string; paymentId: string; cycleId: string; amountPaise: number; reason: string; now: Date },
): Promise<boolean> {
  const row = await tx
    .insertInto('refunds')
    .values({
      id: refund.id,
      payment_id: refund.paymentId,
      cycle_id: refund.cycleId,
      customer_id: caller.customerId,
      amount_paise: refund.amountPaise,
      reason: refund.reason,
      status: 'STARTED',
      provider_refund_id: null,
      created_at: refund.now,
      settled_at: null,
    })
    .onConflict((conflict) => conflict.column('payment_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** By id alone: the job that carries it out acts for the product, not for a caller. */
export function selectRefund(db: Db, refundId: string) {
  return db.selectFrom('refunds').selectAll().where('id', '=', refundId).executeTakeFirst();
}

export async function updateRefund(
  db: Db,
  refundId: string,
  status: 'PENDING' | 'PROCESSED' | 'FAILED',
  providerRefundId: string | null,
  settledAt: Date | null,
): Promise<void> {
  await db
    .updateTable('refunds')
    .set({ status, settled_at: settledAt, ...(providerRefundId ? { provider_refund_id: providerRefundId } : {}) })
    .where('id', '=', refundId)
    .execute();
}

export function selectRefunds(caller: Caller, db: Db) {
  return db.selectFrom('refunds').selectAll().where('customer_id', '=', caller.customerId).execute();
}
