import type { Dispute } from '#standins/razorpay/entities.ts';
import { badRequest, unknownId } from '#standins/razorpay/errors.ts';
import { randomId } from '#standins/razorpay/ids.ts';
import { findPayment } from '#standins/razorpay/lookup.ts';
import type { RazorpayParts } from '#standins/razorpay/parts.ts';

const daySeconds = 86_400;

export function findDispute(parts: RazorpayParts, id: string): Dispute {
  const dispute = parts.ledger.state.disputes.get(id);
  if (!dispute) throw unknownId();
  return dispute;
}

/** A customer's bank disputes a captured payment; the amount is held back until the decision. */
export function openDispute(parts: RazorpayParts, paymentId: string, asked: number | undefined): Dispute {
  const record = findPayment(parts, paymentId);
  const { payment } = record;
  if (payment.status !== 'captured' && payment.status !== 'refunded')
    throw badRequest('Only a captured payment can be disputed.');
  const amount = asked ?? payment.amount;
  if (amount > payment.amount) throw badRequest('The dispute amount is greater than the amount captured.', 'amount');
  const now = Math.floor(parts.now() / 1000);
  const dispute: Dispute = {
    id: `disp_${randomId()}`,
    entity: 'dispute',
    payment_id: payment.id,
    amount,
    currency: payment.currency,
    amount_deducted: amount,
    reason_code: 'goods_or_services_not_received_or_partially_received',
    reason_description: 'Goods or services not received or partially received',
    respond_by: now + 7 * daySeconds,
    status: 'open',
    phase: 'chargeback',
    created_at: now,
  };
  parts.ledger.save({ kind: 'dispute', value: dispute });
  parts.webhooks.emit({ event: 'payment.dispute.created', payment: record, dispute });
  return dispute;
}

/** Updates a dispute. A dispute that is won or closed releases the money that was held. */
export function moveDispute(parts: RazorpayParts, id: string, status: Exclude<Dispute['status'], 'open'>): Dispute {
  const known = findDispute(parts, id);
  if (['won', 'lost', 'closed'].includes(known.status))
    throw badRequest(`A dispute that is ${known.status} cannot change.`);
  const isGivenBack = status === 'won' || status === 'closed';
  const dispute: Dispute = { ...known, status, amount_deducted: isGivenBack ? 0 : known.amount };
  parts.ledger.save({ kind: 'dispute', value: dispute });
  const payment = findPayment(parts, dispute.payment_id);
  parts.webhooks.emit({ event: `payment.dispute.${status}`, payment, dispute });
  return dispute;
}
