import { randomId } from '#ship/standins/razorpay/ids.ts';
import type { Card, Order, Payment } from '#ship/standins/razorpay/entities.ts';
import { type RazorpayError, badRequest, refusal } from '#ship/standins/razorpay/errors.ts';
import { failureError, failureReasonSchema } from '#ship/standins/razorpay/failures.ts';
import type { OrderRecord, PaymentRecord } from '#ship/standins/razorpay/ledger.ts';
import {
  type Payer,
  authorizePayment,
  createPayment,
  failPayment,
  pendingTimeoutMs,
} from '#ship/standins/razorpay/payments.ts';
import { findOrder, findPayment, savePayment } from '#ship/standins/razorpay/lookup.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { type Instrument, registerMandate } from '#ship/standins/razorpay/tokens.ts';
import { checkoutSignature } from '#ship/standins/razorpay/signature.ts';
import { type Outcome, findTestCard, testBanks, vpaOutcome } from '#ship/standins/razorpay/instruments.ts';

export type Method =
  | { method: 'card'; card: { number: string; name?: string | undefined } }
  /** A UPI ID that the payer has entered; without one: `upi.ts`. */
  | { method: 'upi'; vpa: string }
  | { method: 'netbanking'; bank: string };

/** The time a payer who entered a UPI ID takes to respond in the app. */
const upiDelayMs = 1_500;

/** An order may allow one method only. */
export function checkMethod(method: Payment['method'], allowed: OrderRecord['method']): void {
  if (allowed !== null && allowed !== method) throw badRequest(`This order can be paid by ${allowed} only.`, 'method');
}

/** What is paid with. */
function readMethod(input: Method, allowed: OrderRecord['method']): { instrument: Instrument; outcome: Outcome } {
  const method = allowed === 'emandate' && input.method === 'netbanking' ? 'emandate' : input.method;
  checkMethod(method, allowed);
  const none = { bank: null, vpa: null, international: false, card: null };
  if (input.method === 'upi') {
    const { vpa } = input;
    return { instrument: { ...none, method: 'upi', vpa, upi: { vpa } }, outcome: vpaOutcome(vpa) };
  }
  if (input.method === 'netbanking') {
    if (!testBanks.some((bank) => bank.code === input.bank)) throw badRequest('The selected bank is invalid.', 'bank');
    return {
      instrument: { ...none, method: method === 'emandate' ? method : 'netbanking', bank: input.bank },
      outcome: 'success',
    };
  }
  const { network, international, outcome } = findTestCard(input.card.number);
  // Only the last four digits of the number are stored.
  const card: Card = {
    id: `card_${randomId()}`,
    entity: 'card',
    name: input.card.name ?? '',
    last4: input.card.number.replace(/\D/g, '').slice(-4),
    network,
    type: 'credit',
    issuer: null,
    international,
    emi: false,
    sub_type: 'consumer',
    token_iin: null,
  };
  return { instrument: { ...none, method: 'card', international, card }, outcome };
}

export function nextForcedOutcome(parts: RazorpayParts): Outcome | undefined {
  const { behaviour } = parts.ledger.state;
  const [next, ...nextPayments] = behaviour.nextPayments;
  if (next !== undefined) parts.ledger.save({ kind: 'behaviour', value: { ...behaviour, nextPayments } });
  return next;
}

/**
 * Starts a payment. `awaiting` says what it waits for; a declined card has failed already. The outcome is the forced
 * one, else the next of the behaviour's list, else that of the test card or UPI ID.
 */
export function startAttempt(
  parts: RazorpayParts,
  order: Order,
  input: Method,
  payer: Payer,
  options: { forced?: Outcome | undefined; customerId?: string | undefined } = {},
): PaymentRecord {
  const { instrument, outcome: ownOutcome } = readMethod(input, findOrder(parts, order.id).method);
  const mandate = registerMandate(parts, order, instrument, options.customerId);
  const record = createPayment(parts, order, instrument, payer, mandate);
  const outcome = options.forced ?? nextForcedOutcome(parts) ?? ownOutcome;
  const isApproved = outcome === 'success' || outcome === 'late-authorisation';
  if (isApproved && input.method !== 'upi') {
    const awaiting = input.method === 'card' ? 'otp' : 'bank-page';
    return savePayment(parts, { ...record, approvedLate: isLate(parts, outcome), awaiting });
  }
  const atMs = parts.now() + upiDelayMs;
  if (outcome === 'success' && !isLate(parts, outcome)) {
    return savePayment(parts, { ...record, steps: [{ to: 'authorized', atMs }] });
  }
  if (input.method === 'upi' && !isApproved && outcome !== 'pending' && outcome !== 'invalid_vpa') {
    return savePayment(parts, { ...record, steps: [{ to: 'failed', atMs, reason: outcome }] });
  }
  return playOutcome(parts, record, outcome);
}

const isLate = (parts: RazorpayParts, outcome: Outcome): boolean =>
  outcome === 'late-authorisation' ||
  (outcome === 'success' && parts.ledger.state.behaviour.lateAuthorisation !== null);

/** What becomes of a payment that nobody is asked about any more. */
export function playOutcome(parts: RazorpayParts, record: PaymentRecord, outcome: Outcome): PaymentRecord {
  const isApproved = outcome === 'success' || outcome === 'late-authorisation';
  // Cancelled in the checkout while its app was open, which approves it late or changes nothing.
  if (record.payment.status === 'failed' && !isApproved) return record;
  if (outcome === 'pending') return savePayment(parts, { ...record, awaiting: 'answer' });
  if (!isApproved) return failPayment(parts, record.payment.id, outcome);
  return approve(parts, { ...record, approvedLate: isLate(parts, outcome) });
}

/** The payer has agreed: the payment is authorised now, or fails first and is authorised later if so configured. */
export function approve(parts: RazorpayParts, record: PaymentRecord): PaymentRecord {
  if (!record.approvedLate) return authorizePayment(parts, record.payment.id);
  const late = parts.ledger.state.behaviour.lateAuthorisation;
  const nowMs = parts.now();
  return savePayment(parts, {
    ...record,
    awaiting: 'answer',
    steps: [
      ...(record.payment.status === 'created'
        ? [
            {
              to: 'failed' as const,
              atMs: nowMs + (late?.failAfterMs ?? pendingTimeoutMs),
              reason: 'payment_timed_out' as const,
            },
          ]
        : []),
      { to: 'authorized', atMs: nowMs + (late?.authorizeAfterMs ?? 6 * pendingTimeoutMs) },
    ],
  });
}

/** The OTP page: 4 to 10 digits succeed, anything else fails. */
export function submitOtp(parts: RazorpayParts, id: string, otp: string): PaymentRecord {
  const record = findPayment(parts, id);
  if (record.awaiting !== 'otp') throw badRequest('The payment does not wait for an OTP.');
  return /^\d{4,10}$/.test(otp) ? approve(parts, record) : failPayment(parts, id, 'authentication_failed');
}

/** The mock bank's two buttons. */
export function submitBankPage(parts: RazorpayParts, id: string, isSuccess: boolean): PaymentRecord {
  const record = findPayment(parts, id);
  if (record.awaiting !== 'bank-page') throw badRequest('The payment does not wait for the bank page.');
  return isSuccess ? approve(parts, record) : failPayment(parts, id, 'payment_failed');
}

export type CheckoutResponse = { razorpay_payment_id: string; razorpay_order_id: string; razorpay_signature: string };

/**
 * What the browser gets for a successful payment; null for others, and when the browser is not meant to learn of it.
 */
export function checkoutResponse(parts: RazorpayParts, { payment }: PaymentRecord): CheckoutResponse | null {
  const { checkoutReturn } = parts.ledger.state.behaviour;
  // Refunded at once: authorised after another payment had paid the order.
  const isThrough = ['authorized', 'captured', 'refunded'].includes(payment.status);
  if (!isThrough || checkoutReturn === 'browser-never-returns') return null;
  const orderId = payment.order_id ?? '';
  const secret = checkoutReturn === 'ok' ? parts.keySecret : `${parts.keySecret}-wrong`;
  return {
    razorpay_payment_id: payment.id,
    razorpay_order_id: orderId,
    razorpay_signature: checkoutSignature(secret, orderId, payment.id),
  };
}

/** The error object of a failed payment; null when it has not failed. */
export function checkoutError({ payment }: PaymentRecord): RazorpayError | null {
  if (payment.status !== 'failed') return null;
  const reason = failureReasonSchema.parse(payment.error_reason);
  return failureError(reason, payment.order_id, payment.id);
}

/** The same, thrown: HTTP 400 for callers without a browser. */
export function refuseFailed(record: PaymentRecord): void {
  const error = checkoutError(record);
  if (error) throw refusal(400, error);
}
