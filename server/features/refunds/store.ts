import type { Selectable } from 'kysely';
import type { Db, Tx } from '#database/connect.ts';
import type { Tables } from '#database/tables.ts';
import { transaction } from '#database/transaction.ts';
import { nextRefundTryAfterMs } from '#domain/payment.ts';
import type { Caller } from '#server/portal.ts';

export type RefundRow = Selectable<Tables['refunds']>;

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

/** By id alone: what carries it out acts for the product, not for a caller. */
export function selectRefund(db: Db | Tx, refundId: string): Promise<RefundRow | undefined> {
  return db.selectFrom('refunds').selectAll().where('id', '=', refundId).executeTakeFirst();
}

export function lockRefund(tx: Tx, refundId: string): Promise<RefundRow> {
  return tx.selectFrom('refunds').selectAll().where('id', '=', refundId).forUpdate().executeTakeFirstOrThrow();
}

/** The refund of a payment, by the provider's id of that payment. */
export function selectRefundOfPayment(db: Db, providerPaymentId: string) {
  return db.selectFrom('refunds').select('id').where('payment_id', '=', providerPaymentId).executeTakeFirst();
}

/** The refunds whose time has come, each planned anew before it is tried: whatever happens, it is tried again. */
export function claimDueRefunds(db: Db, nowMs: number, limit: number): Promise<string[]> {
  return transaction(db, async (tx) => {
    const due = await tx
      .selectFrom('refunds')
      .select(['id', 'tries'])
      .where('next_try_at', '<=', new Date(nowMs))
      .orderBy('next_try_at')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute();
    for (const { id, tries } of due) {
      const next = new Date(nowMs + nextRefundTryAfterMs(tries));
      await tx
        .updateTable('refunds')
        .set({ tries: tries + 1, next_try_at: next })
        .where('id', '=', id)
        .execute();
    }
    return due.map(({ id }) => id);
  });
}

export async function updateRefund(
  tx: Tx,
  refundId: string,
  change: Partial<Pick<RefundRow, 'status' | 'provider_refund_id' | 'settled_at' | 'next_try_at' | 'attempt'>>,
): Promise<void> {
  await tx.updateTable('refunds').set(change).where('id', '=', refundId).execute();
}

export function selectRefunds(caller: Caller, db: Db) {
  return db.selectFrom('refunds').selectAll().where('customer_id', '=', caller.customerId).execute();
}
