import type { Tx } from '#database/connect.ts';
import { entryOfRefundDue } from '#domain/ledger.ts';
import type { RefundPayout } from '#domain/refund-payout.ts';
import { newId } from '#server/crypto/ids.ts';
import { happened } from '#server/features/events/events.ts';
import { postEntry } from '#server/features/ledger/ledger.ts';
import type { Caller, EventContext } from '#server/portal.ts';
import { insertRefund, selectLeft } from './store.ts';

/** The payment of a paid cycle, and what of it was neither refunded nor is going to be. */
export async function leftOfCycle(tx: Tx, cycleId: string) {
  const left = await selectLeft(tx, cycleId);
  if (!left) throw new Error(`cycle ${cycleId} has no payment`);
  return left;
}

/**
 * Starts the refund of tax that the customer deducted at source, in the transaction that accepts the claim. It has no document: the price
 * stays, and the Government owes us this part of it. Requires the activation's lock. Returns the refund's id, and how it is paid out.
 */
export async function startTdsRefund(
  context: EventContext,
  caller: Caller,
  tx: Tx,
  { claimId, cycleId, amountPaise, now }: { claimId: string; cycleId: string; amountPaise: number; now: Date },
): Promise<{ refundId: string; payout: RefundPayout }> {
  const { paymentId, currency } = await leftOfCycle(tx, cycleId);
  const refund = { id: newId('RFD'), paymentId, cycleId, amountPaise, reason: 'Tax deducted at source (TDS)' };
  const payout = await insertRefund(caller, tx, { ...refund, now }, 'TDS');
  if (!payout) throw new Error(`cycle ${cycleId} has a refund of tax deducted at source already`);
  const { id: refundId, ...about } = refund;
  const facts = { refundId, ...about };
  await happened(context, caller, tx, {
    type: 'refund.started',
    ...facts,
    document: null,
    payout,
    tdsClaimId: claimId,
  });
  if (payout === 'TRANSFER') await happened(context, caller, tx, { type: 'refund.transfer_due', ...facts });
  const booked = { paymentId, cycleId, customerId: caller.customerId, currency };
  await postEntry(tx, entryOfRefundDue(booked, refundId, amountPaise, 'tds'), now);
  return { refundId, payout };
}
