import type { Behaviour } from '#ship/standins/razorpay/behaviour.ts';
import type { Notes, Refund } from '#ship/standins/razorpay/entities.ts';
import {
  badRequest,
  conflict,
  payerUnknown,
  refusal,
  tooOldToRefund,
  unknownId,
} from '#ship/standins/razorpay/errors.ts';
import { randomId } from '#ship/standins/razorpay/ids.ts';
import { readAmount, readFields, readNotes, readReceipt } from '#ship/standins/razorpay/input.ts';
import type { PaymentRecord } from '#ship/standins/razorpay/ledger.ts';
import { findPayment, savePayment } from '#ship/standins/razorpay/lookup.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';

type RefundInput = { amount: number; speed: string; notes: Notes; receipt: string | null };

export function findRefund(parts: RazorpayParts, id: string): Refund {
  const refund = parts.ledger.state.refunds.get(id);
  if (!refund) throw unknownId();
  return refund;
}

/** Is a payment more than six months old? */
function isTooOld({ created_at: createdAt }: PaymentRecord['payment'], nowMs: number): boolean {
  const until = new Date(createdAt * 1000);
  return nowMs > until.setUTCMonth(until.getUTCMonth() + 6);
}

export function readRefundInput(body: unknown, payment: PaymentRecord['payment'], nowMs: number): RefundInput {
  const fields = readFields(body, ['amount', 'speed', 'notes', 'receipt']);
  const speed = fields['speed'] ?? 'normal';
  if (speed !== 'normal' && speed !== 'optimum') throw badRequest('The selected speed is invalid.', 'speed');
  if (payment.amount_refunded > 0 && payment.refund_status === 'full') {
    throw badRequest('The payment has been fully refunded already.');
  }
  if (payment.status !== 'captured') throw badRequest('The payment status should be captured for action to be taken');
  const left = payment.amount - payment.amount_refunded;
  const amount = fields['amount'] === undefined ? left : readAmount(fields['amount']);
  if (amount > left) throw badRequest('The refund amount provided is greater than amount captured.', 'amount');
  if (isTooOld(payment, nowMs)) throw tooOldToRefund();
  return { amount, speed, notes: readNotes(fields['notes']), receipt: readReceipt(fields['receipt']) };
}

/**
 * A full refund makes the payment refunded; a partial refund leaves it captured. A failed refund releases its amount.
 */
function addToRefunded(parts: RazorpayParts, record: PaymentRecord, amount: number): PaymentRecord {
  const refunded = record.payment.amount_refunded + amount;
  const isFull = refunded === record.payment.amount;
  return savePayment(parts, {
    ...record,
    payment: {
      ...record.payment,
      status: isFull ? 'refunded' : 'captured',
      amount_refunded: refunded,
      refund_status: isFull ? 'full' : refunded > 0 ? 'partial' : null,
    },
  });
}

/** Razorpay returns no transfer whose payer's account it doesn't know, as from most UPI apps, or that is a non-resident's. */
function isUnreturnable(parts: RazorpayParts, paymentId: string): boolean {
  const record = parts.ledger.state.transfers.get(paymentId);
  return record !== undefined && (record.isNonResident || record.transfer.payer_bank_account === null);
}

/** Creates a refund in the state that `mode` requires. */
export function createRefund(
  parts: RazorpayParts,
  record: PaymentRecord,
  input: RefundInput,
  mode: Behaviour['refunds'],
): Refund {
  if (isUnreturnable(parts, record.payment.id)) throw payerUnknown();
  if (mode === 'insufficient-balance') {
    throw badRequest('Your account does not have enough balance to carry out the refund operation.');
  }
  const refund: Refund = {
    id: `rfnd_${randomId()}`,
    entity: 'refund',
    amount: input.amount,
    currency: record.payment.currency,
    payment_id: record.payment.id,
    notes: input.notes,
    receipt: input.receipt,
    acquirer_data: { arn: null },
    created_at: Math.floor(parts.now() / 1000),
    batch_id: null,
    status: 'pending',
    speed_processed: 'normal',
    speed_requested: input.speed,
  };
  parts.ledger.save({ kind: 'refund', value: refund });
  const payment = addToRefunded(parts, record, input.amount);
  parts.webhooks.emit({ event: 'refund.created', payment, refund });
  if (mode === 'pending' || mode === 'fail') return refund;
  return settleRefund(parts, refund.id, 'processed');
}

/** Completes a pending refund. */
export function settleRefund(parts: RazorpayParts, id: string, status: 'processed' | 'failed'): Refund {
  const pending = findRefund(parts, id);
  if (pending.status !== 'pending') throw badRequest(`A refund that is ${pending.status} cannot be ${status}.`);
  const arn = String(Math.floor(Math.random() * 1e12)).padStart(12, '0');
  const refund: Refund = { ...pending, status, acquirer_data: { arn: status === 'processed' ? arn : null } };
  parts.ledger.save({ kind: 'refund', value: refund });
  const record = findPayment(parts, refund.payment_id);
  const payment = status === 'failed' ? addToRefunded(parts, record, -refund.amount) : record;
  parts.webhooks.emit({ event: status === 'processed' ? 'refund.processed' : 'refund.failed', payment, refund });
  return refund;
}

/** An order that another payment has already paid keeps no second one: the late payment is refunded at once. */
export function refundLatePayment(parts: RazorpayParts, record: PaymentRecord): PaymentRecord {
  const { amount } = record.payment;
  createRefund(parts, record, { amount, speed: 'normal', notes: [], receipt: null }, 'ok');
  return findPayment(parts, record.payment.id);
}

/**
 * `X-Refund-Idempotency`: the same key and request return the same refund; a different request, or one still running,
 * is a conflict. `running` has the keys whose first request is still running.
 */
export function findByRefundKey(
  parts: RazorpayParts,
  key: string,
  request: string,
  running: Set<string>,
): Refund | null {
  if (!/^[A-Za-z0-9_-]{10,}$/.test(key)) {
    throw refusal(400, {
      code: 'BAD_REQUEST_ERROR',
      description: 'The idempotency key must have at least 10 characters, of A-Z a-z 0-9 _ and -.',
    });
  }
  const known = parts.ledger.state.refundKeys.get(key);
  if (known && known.request !== request) {
    throw conflict('Different request with the same idempotency key has already been processed.');
  }
  if (running.has(key)) throw conflict('Another request with the same idempotency key is still in progress.');
  return known ? findRefund(parts, known.refundId) : null;
}
