import type { Dispute } from '#ship/standins/razorpay/entities.ts';
import { badRequest, unknownId } from '#ship/standins/razorpay/errors.ts';
import { randomId } from '#ship/standins/razorpay/ids.ts';
import { findPayment } from '#ship/standins/razorpay/lookup.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';

const daySeconds = 86_400;

export function findDispute(parts: RazorpayParts, id: string): Dispute {
  const dispute = parts.ledger.state.disputes.get(id);
  if (!dispute) throw unknownId();
  return dispute;
}

/** A customer's bank disputes a captured payment. */
export function openDispute(
  parts: RazorpayParts,
  paymentId: string,
  asked: { amount?: number | undefined; phase: Dispute['phase'] },
): Dispute {
  const record = findPayment(parts, paymentId);
  const { payment } = record;
  if (payment.status !== 'captured' && payment.status !== 'refunded')
    throw badRequest('Only a captured payment can be disputed.');
  const amount = asked.amount ?? payment.amount;
  if (amount > payment.amount) throw badRequest('The dispute amount is greater than the amount captured.', 'amount');
  const now = Math.floor(parts.now() / 1000);
  const dispute: Dispute = {
    id: `disp_${randomId()}`,
    entity: 'dispute',
    payment_id: payment.id,
    amount,
    currency: payment.currency,
    amount_deducted: parts.ledger.state.behaviour.disputes === 'hold' ? amount : 0,
    reason_code: 'goods_or_services_not_received_or_partially_received',
    reason_description: 'Goods or services not received or partially received',
    respond_by: now + 7 * daySeconds,
    status: 'open',
    phase: asked.phase,
    created_at: now,
    evidence: { amount, summary: null, submitted_at: null },
  };
  parts.ledger.save({ kind: 'dispute', value: dispute });
  parts.webhooks.emit({ event: 'payment.dispute.created', payment: record, dispute });
  return dispute;
}

/** Updates a dispute. One that is won or closed releases the money that was held; `action_required` reopens it with three more days. */
export function moveDispute(
  parts: RazorpayParts,
  id: string,
  to: Exclude<Dispute['status'], 'open'> | 'action_required',
): Dispute {
  const known = findDispute(parts, id);
  if (['won', 'lost', 'closed'].includes(known.status))
    throw badRequest(`A dispute that is ${known.status} cannot change.`);
  const now = Math.floor(parts.now() / 1000);
  const isReopened = to === 'action_required';
  const submitted_at = to === 'under_review' ? now : isReopened ? null : known.evidence.submitted_at;
  const dispute: Dispute = {
    ...known,
    status: isReopened ? 'open' : to,
    respond_by: isReopened ? now + 3 * daySeconds : known.respond_by,
    amount_deducted: to === 'lost' ? known.amount : to === 'won' || to === 'closed' ? 0 : known.amount_deducted,
    evidence: { ...known.evidence, submitted_at },
  };
  parts.ledger.save({ kind: 'dispute', value: dispute });
  const payment = findPayment(parts, dispute.payment_id);
  parts.webhooks.emit({ event: `payment.dispute.${to}`, payment, dispute });
  return dispute;
}
