import type { Dispute } from '#shared/contract/payments.ts';
import type { Db } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { refundWaits } from '#shared/domain/dispute.ts';
import { rupees } from '#shared/domain/money.ts';
import type { Owner } from '#server/portal.ts';

/** The owner's disputes in which the bank claims money and has not decided yet, newest first. */
export async function listDisputes(owner: Owner, db: Db): Promise<Dispute[]> {
  const rows = await db
    .selectFrom('disputes')
    .innerJoin('cycles', 'cycles.id', 'disputes.cycle_id')
    .innerJoin('activations', 'activations.id', 'cycles.activation_id')
    .select(['provider_dispute_id', 'payment_id', 'cycle_id', 'amount_paise', 'phase', 'disputes.status'])
    .select(['disputes.created_at', 'activations.id as activation_id', 'activations.deleted_at'])
    .where('disputes.customer_id', '=', owner.customerId)
    .where('disputes.ended_at', 'is', null)
    .orderBy('disputes.created_at', 'desc')
    .execute();
  return rows.filter(refundWaits).map((row) => ({
    disputeId: row.provider_dispute_id,
    paymentId: row.payment_id,
    billingCycleId: row.cycle_id,
    activationId: row.deleted_at === null ? row.activation_id : null,
    amount: rupees(row.amount_paise),
    openedOn: dayOf(row.created_at.getTime()),
    status: row.status === 'under_review' ? 'DECIDING' : 'ANSWERING',
  }));
}
