import type { Selectable } from 'kysely';
import { claimRows } from '#shared/database/claim-rows.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Tables } from '#shared/database/tables.ts';
import { transaction } from '#shared/database/transaction.ts';
import { disputeMayBecome, hasEnded } from '#shared/domain/dispute.ts';
import { entryOfDisputeHeld, entryOfDisputeLoss, entryOfDisputeReleased } from '#shared/domain/ledger.ts';
import { postEntry } from '#server/features/ledger/ledger.ts';
import { endDisputedMandate } from '#server/features/mandates/mandates.ts';
import { wakeRefunds } from '#server/features/refunds/refunds.ts';
import type { ProviderDispute } from '#server/razorpay/razorpay.ts';
import type { Portal } from '#server/portal.ts';
import { publishDispute } from './dispute-events.ts';
import { bookForeign, bookRefundsOf } from './money-back.ts';
import { settlePayment } from './settle.ts';
import { lockForSettling, selectOrder, selectPayment, type StoredPayment } from './store.ts';

/** How often an open dispute is checked at the provider. */
const checkIntervalMs = 3_600_000;

type DisputeRow = Selectable<Tables['disputes']>;

/**
 * Stores the state of a dispute, books it, and notifies operator and customer (product §6.22). While it is open the plan continues; an amount
 * that the provider withholds meanwhile is on the ledger's account `disputed`. A lost dispute counts as a refund of what it took, as far as
 * the customer has not been refunded yet; the rest is a loss.
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
      if (await hasNews(tx, dispute)) await storeDispute(portal, tx, payment, dispute);
    });
    return;
  }
  // What the provider has refunded already, also if its response was lost, can't be what the dispute took.
  await bookRefundsOf(portal, dispute.payment_id);
  const deductedPaise = dispute.amount_deducted || dispute.amount;
  const foreign = {
    origin: 'DISPUTE' as const,
    id: dispute.id,
    amountPaise: deductedPaise,
    reason: 'A dispute with your bank was decided in your favour',
    isPaid: true,
  };
  await bookForeign(portal, payment, foreign, {
    isWanted: (tx) => hasNews(tx, dispute),
    store: (tx, lossPaise) => storeDispute(portal, tx, payment, dispute, { deductedPaise, lossPaise }),
  });
}

/** Claims the open disputes that are due; the next check is scheduled before the provider is called. */
export function claimDueDisputes(db: Db, nowMs: number, limit: number): Promise<string[]> {
  return claimRows(
    db,
    { limit, nowMs, longestWaitMs: checkIntervalMs },
    (tx, isDue) =>
      tx
        .selectFrom('disputes')
        .select('provider_dispute_id as id')
        .where(isDue('next_check_at'))
        .orderBy('next_check_at'),
    async (tx, { id }) => {
      const next_check_at = new Date(nowMs + checkIntervalMs);
      await tx.updateTable('disputes').set({ next_check_at }).where('provider_dispute_id', '=', id).execute();
      return id;
    },
  );
}

const instantOf = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);

/** False when nothing has changed. Requires the activation's lock. */
async function hasNews(tx: Tx, dispute: ProviderDispute): Promise<boolean> {
  const known = await selectDispute(tx, dispute.id);
  if (!known) return true;
  if (known.status !== dispute.status) return disputeMayBecome(known.status, dispute.status);
  if (hasEnded(known.status)) return false;
  return (
    known.respond_by?.getTime() !== instantOf(dispute.respond_by)?.getTime() ||
    known.submitted_at?.getTime() !== instantOf(dispute.evidence?.submitted_at)?.getTime() ||
    known.amount_paise !== dispute.amount ||
    known.phase !== (dispute.phase ?? 'unknown') ||
    (known.held_paise === 0 && (dispute.amount_deducted ?? 0) > 0)
  );
}

/** Requires the activation's lock. */
async function storeDispute(
  portal: Portal,
  tx: Tx,
  payment: StoredPayment,
  dispute: ProviderDispute,
  lost = { deductedPaise: 0, lossPaise: 0 },
): Promise<void> {
  const known = await selectDispute(tx, dispute.id);
  const ended = hasEnded(dispute.status);
  const heldPaise = known?.held_paise || (ended ? 0 : (dispute.amount_deducted ?? 0));
  const changing = {
    amount_paise: dispute.amount,
    phase: dispute.phase ?? 'unknown',
    reason: dispute.reason_description ?? dispute.reason_code ?? 'unknown',
    status: dispute.status,
    respond_by: instantOf(dispute.respond_by),
    submitted_at: instantOf(dispute.evidence?.submitted_at),
    ended_at: ended ? new Date(portal.clock()) : null,
    next_check_at: ended ? null : new Date(portal.machineClock() + checkIntervalMs),
    held_paise: heldPaise,
    deducted_paise: lost.deductedPaise,
    loss_paise: lost.lossPaise,
  };
  const stored = await tx
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
    .returningAll()
    .executeTakeFirstOrThrow();
  await bookDispute(portal, tx, payment, stored, known);
  // The refunds of the payment that waited for this.
  if (ended) await wakeRefunds(tx, payment.provider_payment_id, new Date(portal.machineClock()));
  const owner = { customerId: payment.customer_id };
  if (stored.status === 'lost') await endDisputedMandate(portal, owner, tx, payment.order_id);
  await publishDispute(portal, tx, stored, known);
}

/** Enters what changed into the ledger: the amount held back, its release, and a loss. */
async function bookDispute(
  portal: Portal,
  tx: Tx,
  payment: StoredPayment,
  stored: DisputeRow,
  known: DisputeRow | undefined,
): Promise<void> {
  const { provider_payment_id: paymentId, cycle_id: cycleId, customer_id: customerId, currency } = payment;
  const about = { paymentId, cycleId, customerId, currency };
  const { provider_dispute_id: id, held_paise: heldPaise, loss_paise: lossPaise } = stored;
  const now = new Date(portal.clock());
  if (heldPaise > 0 && !known?.held_paise) await postEntry(tx, entryOfDisputeHeld(about, id, heldPaise), now);
  if (heldPaise > 0 && stored.ended_at) await postEntry(tx, entryOfDisputeReleased(about, id, heldPaise), now);
  if (lossPaise > 0) await postEntry(tx, entryOfDisputeLoss(about, id, lossPaise), now);
}

function selectDispute(tx: Tx, id: string): Promise<DisputeRow | undefined> {
  return tx.selectFrom('disputes').selectAll().where('provider_dispute_id', '=', id).executeTakeFirst();
}
