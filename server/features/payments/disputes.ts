import { claimRows } from '#database/claim-rows.ts';
import type { Db, Tx } from '#database/connect.ts';
import { transaction } from '#database/transaction.ts';
import { disputeMovesForward, hasEnded } from '#domain/dispute.ts';
import type { ProviderDispute } from '#server/razorpay/razorpay.ts';
import type { Portal } from '#server/portal.ts';
import { bookForeign } from './money-back.ts';
import { settlePayment } from './settle.ts';
import { lockForSettling, selectOrder, selectPayment, type StoredPayment } from './store.ts';

/** How often an open dispute is checked at the provider. */
const checkIntervalMs = 3_600_000;

/**
 * Stores the state of a dispute and raises an alarm. The amount that an open dispute withholds is not booked: the customer's plan continues, and
 * the money comes back if the dispute is won. A lost dispute counts as a refund of its amount (product §6.6).
 */
export async function recordDispute(portal: Portal, disputeId: string): Promise<void> {
  const dispute = await portal.razorpay.readDispute(disputeId);
  await settlePayment(portal, dispute.payment_id);
  const payment = await selectPayment(portal.db, dispute.payment_id);
  if (payment?.status !== 'captured') {
    portal.log.error(
      { disputeId, paymentId: dispute.payment_id },
      'a dispute is about a payment that the portal does not know',
    );
    return;
  }
  if (dispute.status !== 'lost') {
    const order = await selectOrder(portal.db, payment.order_id);
    await transaction(portal.db, async (tx) => {
      if (order) await lockForSettling(tx, order);
      await storeDispute(portal, tx, payment, dispute);
    });
    return;
  }
  const foreign = {
    origin: 'DISPUTE' as const,
    id: dispute.id,
    amountPaise: dispute.amount_deducted || dispute.amount,
    reason: 'A dispute with your bank was decided in your favour',
    isPaid: true,
  };
  await bookForeign(portal, payment, foreign, (tx) => storeDispute(portal, tx, payment, dispute));
}

/** Claims the open disputes that are due; the next check is scheduled before the provider is called. */
export function claimDueDisputes(db: Db, nowMs: number, limit: number): Promise<string[]> {
  return claimRows(
    db,
    limit,
    (tx) =>
      tx
        .selectFrom('disputes')
        .select('provider_dispute_id as id')
        .where('next_check_at', '<=', new Date(nowMs))
        .orderBy('next_check_at'),
    async (tx, { id }) => {
      const next_check_at = new Date(nowMs + checkIntervalMs);
      await tx.updateTable('disputes').set({ next_check_at }).where('provider_dispute_id', '=', id).execute();
      return id;
    },
  );
}

/** False when nothing has changed. Requires the activation's lock. */
async function storeDispute(
  portal: Portal,
  tx: Tx,
  payment: StoredPayment,
  dispute: ProviderDispute,
): Promise<boolean> {
  const known = await tx
    .selectFrom('disputes')
    .select('status')
    .where('provider_dispute_id', '=', dispute.id)
    .executeTakeFirst();
  if (known && !disputeMovesForward(known.status, dispute.status)) return false;
  const ended = hasEnded(dispute.status);
  const changing = {
    amount_paise: dispute.amount,
    phase: dispute.phase ?? 'unknown',
    reason: dispute.reason_description ?? dispute.reason_code ?? 'unknown',
    status: dispute.status,
    respond_by: dispute.respond_by ? new Date(dispute.respond_by * 1000) : null,
    ended_at: ended ? new Date(portal.clock()) : null,
    next_check_at: ended ? null : new Date(portal.machineClock() + checkIntervalMs),
  };
  await tx
    .insertInto('disputes')
    .values({
      provider_dispute_id: dispute.id,
      payment_id: payment.provider_payment_id,
      cycle_id: payment.cycle_id,
      customer_id: payment.customer_id,
      created_at: new Date(dispute.created_at * 1000),
      ...changing,
    })
    .onConflict((conflict) => conflict.column('provider_dispute_id').doUpdateSet(changing))
    .execute();
  const { id: disputeId, payment_id: paymentId, status, amount: amountPaise } = dispute;
  const alarm = { disputeId, paymentId, status, amountPaise, respondBy: changing.respond_by };
  portal.log[status === 'won' ? 'warn' : 'error'](alarm, 'a payment is disputed');
  return true;
}
