import type { Order, Payment } from '#ship/standins/razorpay/entities.ts';
import { badRequest } from '#ship/standins/razorpay/errors.ts';
import { type FailureReason, failureError } from '#ship/standins/razorpay/failures.ts';
import { randomId } from '#ship/standins/razorpay/ids.ts';
import type { PaymentRecord } from '#ship/standins/razorpay/ledger.ts';
import { findOrder, findPayment, paymentsOf, savePayment } from '#ship/standins/razorpay/lookup.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { refundLatePayment } from '#ship/standins/razorpay/refunds.ts';
import { type Instrument, type Mandate, followPayment } from '#ship/standins/razorpay/tokens.ts';

/** A pending payment fails after this time. */
export const pendingTimeoutMs = 600_000;

export const alreadyPaid =
  'Your payment has been declined as the order is already paid. Please initiate the payment with a new order.';

export type Payer = { email: string; contact: string; description: string | null };

const nothingWrong = {
  error_code: null,
  error_description: null,
  error_source: null,
  error_step: null,
  error_reason: null,
};

/** What every payment begins with, however it is made. */
export const newPayment = (parts: RazorpayParts) => ({
  id: `pay_${randomId()}`,
  entity: 'payment' as const,
  invoice_id: null,
  wallet: null,
  amount_refunded: 0,
  refund_status: null,
  ...nothingWrong,
  acquirer_data: {},
  created_at: Math.floor(parts.now() / 1000),
});

/** The first state of every attempt. Refused on a paid order, or while another payment on it is authorised. */
export function createPayment(
  parts: RazorpayParts,
  order: Order,
  instrument: Instrument,
  payer: Payer,
  mandate?: Mandate,
): PaymentRecord {
  const isHeld = paymentsOf(parts, order.id).some(({ payment }) => payment.status === 'authorized');
  if (order.status === 'paid' || isHeld) throw badRequest(alreadyPaid);
  const { card, ...method } = instrument;
  const payment: Payment = {
    ...newPayment(parts),
    amount: parts.ledger.state.behaviour.captureWrongAmountPaise ?? order.amount,
    currency: order.currency,
    status: 'created',
    order_id: order.id,
    ...method,
    captured: false,
    card_id: card?.id ?? null,
    ...payer,
    ...mandate,
    notes: order.notes,
    fee: null,
    tax: null,
  };
  const attempted: Order = { ...order, status: 'attempted', attempts: order.attempts + 1 };
  parts.ledger.save({ kind: 'order', value: { ...findOrder(parts, order.id), order: attempted } });
  const timeout = { to: 'failed' as const, atMs: parts.now() + pendingTimeoutMs, reason: 'payment_timed_out' as const };
  return savePayment(parts, {
    payment,
    card,
    awaiting: 'answer',
    request: null,
    approvedLate: false,
    steps: [timeout],
    debit: null,
  });
}

function acquirerData(method: Payment['method']): Record<string, string> {
  const reference = String(Math.floor(Math.random() * 1e12)).padStart(12, '0');
  if (method === 'card') return { auth_code: reference.slice(0, 6), rrn: reference };
  if (method === 'netbanking') return { bank_transaction_id: reference };
  return { rrn: reference, upi_transaction_id: randomId().toUpperCase() };
}

/** The bank authorises a new payment, or a failed one late; captured at once if the order is set so. */
export function authorizePayment(parts: RazorpayParts, id: string, mayCapture = true): PaymentRecord {
  const record = findPayment(parts, id);
  const { payment } = record;
  if (payment.status !== 'created' && payment.status !== 'failed') {
    throw badRequest(`A payment that is ${payment.status} cannot be authorized.`);
  }
  const authorized = savePayment(parts, {
    ...record,
    awaiting: null,
    steps: [],
    payment: { ...payment, ...nothingWrong, status: 'authorized', acquirer_data: acquirerData(payment.method) },
  });
  parts.webhooks.emit({ event: 'payment.authorized', payment: authorized });
  followPayment(parts, authorized);

  const { order, capture } = findOrder(parts, payment.order_id);
  if (order.status === 'paid') return refundLatePayment(parts, authorized);
  return capture === 'automatic' && mayCapture ? capturePayment(parts, id) : authorized;
}

/** The fee is 2 % plus 18 % GST on that. */
export function chargeOf(amount: number): { fee: number; tax: number } {
  const charge = Math.round(amount * 0.02);
  const tax = Math.round(charge * 0.18);
  return { fee: charge + tax, tax };
}

/** Captures the money, and the order is paid. */
export function capturePayment(parts: RazorpayParts, id: string): PaymentRecord {
  const record = findPayment(parts, id);
  const { payment } = record;
  const orderRecord = findOrder(parts, payment.order_id);
  const { order } = orderRecord;
  if (payment.status === 'captured' || order.status === 'paid') throw badRequest(alreadyPaid);
  if (payment.status !== 'authorized') {
    throw badRequest('Only payments which have been authorized and not yet captured can be captured');
  }
  const captured = savePayment(parts, {
    ...record,
    payment: { ...payment, status: 'captured', captured: true, ...chargeOf(payment.amount) },
  });
  const paid: Order = {
    ...order,
    status: 'paid',
    amount_paid: payment.amount,
    amount_due: Math.max(0, order.amount - payment.amount),
  };
  parts.ledger.save({ kind: 'order', value: { ...orderRecord, order: paid } });
  parts.webhooks.emit({ event: 'payment.captured', payment: captured });
  parts.webhooks.emit({ event: 'order.paid', payment: captured, order: paid });
  if (parts.ledger.state.behaviour.captureTwice) {
    const second = savePayment(parts, { ...captured, payment: { ...captured.payment, id: `pay_${randomId()}` } });
    parts.webhooks.emit({ event: 'payment.captured', payment: second });
  }
  return captured;
}

/** The bank declines. Later steps remain: a failed payment may still be authorised. */
export function failPayment(parts: RazorpayParts, id: string, reason: FailureReason): PaymentRecord {
  const record = findPayment(parts, id);
  const { payment } = record;
  if (payment.status !== 'created') throw badRequest(`A payment that is ${payment.status} cannot fail.`);
  const error = failureError(reason, payment.order_id, payment.id);
  const failed = savePayment(parts, {
    ...record,
    awaiting: null,
    steps: record.steps.filter((step) => step.to === 'authorized'),
    payment: {
      ...payment,
      status: 'failed',
      error_code: error.code,
      error_description: error.description,
      error_source: error.source ?? null,
      error_step: error.step ?? null,
      error_reason: reason,
      acquirer_data: payment.method === 'netbanking' ? { bank_transaction_id: null } : { rrn: null },
    },
  });
  parts.webhooks.emit({ event: 'payment.failed', payment: failed });
  followPayment(parts, failed);
  return failed;
}

/** Performs all due steps; the caller's timer decides when. */
export function runDueSteps(parts: RazorpayParts): void {
  for (const { payment, steps } of parts.ledger.state.payments.values()) {
    const due = steps.find((step) => step.atMs <= parts.now());
    if (due?.to === 'authorized') authorizePayment(parts, payment.id);
    if (due?.to === 'failed') failPayment(parts, payment.id, due.reason);
  }
}
