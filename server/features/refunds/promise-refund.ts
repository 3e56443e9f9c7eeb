import type { Tx } from '#database/connect.ts';
import { entryOfDisputeLoss, entryOfRefundDue, entryOfRefundPaid } from '#domain/ledger.ts';
import { documentRefund, type Issued, type Issuer } from '#server/features/documents/documents.ts';
import { happened } from '#server/features/events/events.ts';
import { postEntry } from '#server/features/ledger/ledger.ts';
import type { RefundPayout } from '#domain/refund-payout.ts';
import type { Caller, EventContext } from '#server/portal.ts';
import { type RefundRow, updateRefund } from './store.ts';

/** Writes what belongs to a refund: its document, mail, event and ledger entry. */
export async function promiseRefund(
  portal: Issuer,
  caller: Caller,
  tx: Tx,
  refund: {
    id: string;
    paymentId: string;
    cycleId: string;
    amountPaise: number;
    currency: string;
    reason: string;
    from: 'CYCLE' | 'REFUND';
    payout: RefundPayout;
    /** Excess tax of an advance that is about to be invoiced. */
    beforeInvoice?: boolean;
    /** The document that its cause has issued already, or null where the cause needs none: the correction of an invoice. */
    document?: Issued | null;
  },
): Promise<void> {
  const { id, from, currency, beforeInvoice = false, document: issued, ...kept } = refund;
  // Money that never paid for a cycle was not consideration for a supply: its refund has no document.
  const isDocumented = from === 'REFUND' || issued !== undefined;
  const document = isDocumented
    ? (issued ?? null)
    : await documentRefund(portal, caller, tx, { ...kept, beforeInvoice });
  const facts = { refundId: id, ...kept };
  await happened(portal, caller, tx, { type: 'refund.started', ...facts, document });
  if (refund.payout === 'TRANSFER') await happened(portal, caller, tx, { type: 'refund.transfer_due', ...facts });
  if (from === 'REFUND') return;
  const { paymentId, cycleId } = refund;
  const about = { paymentId, cycleId, customerId: caller.customerId, currency };
  await postEntry(tx, entryOfRefundDue(about, id, refund.amountPaise), new Date(portal.clock()));
}

/**
 * Completes a refund: paid out by the provider, with what the customer got twice by it, transferred by the operator, or covered by money
 * refunded elsewhere.
 */
export async function completeRefund(portal: EventContext, tx: Tx, refund: RefundRow): Promise<void> {
  const now = new Date(portal.clock());
  const { provider_refund_id, payout, utr, transferred_on, loss_paise } = refund;
  await updateRefund(tx, refund.id, {
    status: 'PROCESSED',
    provider_refund_id,
    payout,
    utr,
    transferred_on,
    loss_paise,
    settled_at: now,
    next_try_at: null,
    refused_at: null,
    refusal: null,
  });
  const { currency } = await tx
    .selectFrom('payments')
    .select('currency')
    .where('provider_payment_id', '=', refund.payment_id)
    .executeTakeFirstOrThrow();
  const about = {
    paymentId: refund.payment_id,
    cycleId: refund.cycle_id,
    customerId: refund.customer_id,
    currency,
  };
  const paidPaise = refund.amount_paise - refund.covered_paise;
  if (paidPaise > 0) await postEntry(tx, entryOfRefundPaid(about, refund.id, paidPaise, payout), now);
  if (loss_paise > 0) await postEntry(tx, entryOfDisputeLoss(about, refund.id, loss_paise), now);
  // The part that covers another refund is announced with that one.
  const amountPaise = refund.amount_paise - refund.covers_paise;
  if (amountPaise === 0) return;
  const { id: refundId, payment_id: paymentId, cycle_id: cycleId, customer_id: customerId } = refund;
  const facts = { refundId, paymentId, cycleId, amountPaise };
  await happened(portal, { customerId }, tx, { type: 'refund.completed', ...facts, utr });
}
