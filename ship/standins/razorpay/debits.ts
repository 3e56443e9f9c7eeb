import { billingCycle, nextInWindows } from '#ship/standins/razorpay/billing-cycles.ts';
import type { Order, Token } from '#ship/standins/razorpay/entities.ts';
import { badRequest, unknownId } from '#ship/standins/razorpay/errors.ts';
import { type FailureReason, refusedFor } from '#ship/standins/razorpay/failures.ts';
import { type Fields, readAmount, readCurrency, readFields } from '#ship/standins/razorpay/input.ts';
import type { Outcome } from '#ship/standins/razorpay/instruments.ts';
import type { Debit, PaymentRecord } from '#ship/standins/razorpay/ledger.ts';
import { findOrder, findPayment, savePayment } from '#ship/standins/razorpay/lookup.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { alreadyPaid, authorizePayment, createPayment, failPayment } from '#ship/standins/razorpay/payments.ts';
import { findToken, findTokenOf, moveToken, statusOf } from '#ship/standins/razorpay/tokens.ts';

type DebitRecord = PaymentRecord & { debit: Debit };

const isDebit = (record: PaymentRecord): record is DebitRecord => record.debit !== null;

/** Debits whose result is not known yet. */
export function pendingDebits(parts: RazorpayParts): DebitRecord[] {
  return [...parts.ledger.state.payments.values()]
    .filter(isDebit)
    .filter(({ payment, steps }) => payment.status === 'created' || steps.length > 0);
}

/** Reasons that pass by themselves, so that the bank is asked again. */
const passing = new Set<FailureReason>([
  'insufficient_funds',
  'gateway_technical_error',
  'payment_timed_out',
  'payment_failed',
]);

const textOf = (fields: Fields, name: string): string => {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw badRequest(`The ${name} field is required.`, name);
  return value;
};

const known = [
  'email',
  'contact',
  'amount',
  'currency',
  'order_id',
  'customer_id',
  'token',
  'recurring',
  'description',
  'notes',
];

function readDebit(parts: RazorpayParts, body: unknown) {
  const fields = readFields(body, known);
  const [email, contact] = [textOf(fields, 'email'), textOf(fields, 'contact')];
  if (![true, 1, '1', 'true', 'preferred'].some((value) => value === fields['recurring']))
    throw badRequest('The recurring field is required.', 'recurring');
  const { order } = findOrder(parts, textOf(fields, 'order_id'));
  const record = findTokenOf(parts, textOf(fields, 'customer_id'), textOf(fields, 'token'));
  if (readAmount(fields['amount']) !== order.amount || readCurrency(fields['currency']) !== order.currency) {
    throw badRequest(
      'Your payment amount is different from your order amount. To pay successfully, please try using right amount.',
      'amount',
    );
  }
  if (order.notification && order.notification.token_id !== record.token.id) throw unknownId();
  const description = typeof fields['description'] === 'string' ? fields['description'] : null;
  return { order, record, payer: { email, contact, description } };
}

/** `POST /v1/payments/create/recurring`: the payer is notified, and the bank asked a day later. */
export function createDebit(parts: RazorpayParts, body: unknown): PaymentRecord {
  const { order, record, payer } = readDebit(parts, body);
  const { token, customerId } = record;
  const status = statusOf(record);
  if (order.status === 'paid') throw badRequest(alreadyPaid);
  if (status === 'expired') throw refusedFor('mandate_expired');
  if (status === 'cancelled') throw refusedFor('mandate_not_active');
  if (status !== 'confirmed')
    throw badRequest(`Only a confirmed token can be charged; this one is ${status}.`, 'token');
  if (order.amount > token.max_amount) throw badRequest('Amount exceeds maximum amount allowed', 'amount');
  const pending = pendingDebits(parts).find(({ debit }) => debit.tokenId === token.id);
  if (pending) throw badRequest('An earlier payment on this token has no result yet.', 'token');

  const payment = createPayment(
    parts,
    order,
    {
      method: token.method,
      bank: token.bank,
      vpa: token.vpa ? `${token.vpa.username}@${token.vpa.handle}` : null,
      international: false,
      card: token.card ?? null,
    },
    payer,
    { customer_id: customerId, token_id: token.id },
  );
  return savePayment(parts, { ...payment, steps: [], debit: newDebit(parts, order, token) });
}

function newDebit(parts: RazorpayParts, { notification }: Order, token: Token): Debit {
  const { noticeAfterMs, debitAfterMs, windows, retries } = parts.ledger.state.behaviour.mandates;
  const noticeAtMs = parts.now() + noticeAfterMs;
  const earliest = Math.max(noticeAtMs + debitAfterMs, (notification?.payment_after ?? 0) * 1000);
  return {
    tokenId: token.id,
    noticeAtMs,
    isNotified: false,
    debitAtMs: nextInWindows(windows, earliest),
    // Documented: with a notification of its own, the business retries by itself.
    retriesLeft: notification ? 0 : retries,
    pinUntilMs: null,
  };
}

/** The next outcome at the bank: that of the behaviour's list, else success. */
function nextOutcome(parts: RazorpayParts): Outcome {
  const { behaviour } = parts.ledger.state;
  const [next, ...nextDebits] = behaviour.mandates.nextDebits;
  if (next === undefined) return 'success';
  parts.ledger.save({ kind: 'behaviour', value: { ...behaviour, mandates: { ...behaviour.mandates, nextDebits } } });
  return next;
}

/** Why the network itself refuses a debit; undefined when it asks the bank. */
function networkRefusal(parts: RazorpayParts, { debit }: DebitRecord, atMs: number): FailureReason | undefined {
  const token = findToken(parts, debit.tokenId);
  const status = statusOf(token);
  if (status === 'expired') return 'mandate_expired';
  // A cancellation that is not confirmed yet may still fail.
  if (status !== 'confirmed' && status !== 'cancellation_initiated') return 'mandate_not_active';
  const cycle = billingCycle(token.frequency, atMs);
  const isSecond =
    token.debitedAtMs !== null && cycle !== null && billingCycle(token.frequency, token.debitedAtMs) === cycle;
  return isSecond ? 'mandate_already_executed' : undefined;
}

/** The bank is asked. Above the limit it asks the payer first. */
function attemptDebit(parts: RazorpayParts, record: DebitRecord): void {
  const { id, amount } = record.payment;
  const atMs = record.debit.debitAtMs ?? parts.now();
  const refused = networkRefusal(parts, record, atMs);
  if (refused) return void failPayment(parts, id, refused);
  const { pinAbovePaise, pinForMs } = parts.ledger.state.behaviour.mandates;
  if (amount > pinAbovePaise) {
    const debit = { ...record.debit, pinUntilMs: atMs + pinForMs };
    return void savePayment(parts, { ...record, awaiting: 'pin', debit });
  }
  return settleDebit(parts, record, nextOutcome(parts));
}

function settleDebit(parts: RazorpayParts, record: DebitRecord, outcome: Outcome): void {
  const { id } = record.payment;
  const { retryAfterMs, windows } = parts.ledger.state.behaviour.mandates;
  const { debit } = record;
  const atMs = debit.debitAtMs ?? parts.now();
  if (outcome === 'success') return void authorizePayment(parts, id);
  // No word from the bank: someone decides by a control.
  if (outcome === 'pending') return void savePayment(parts, { ...record, debit: { ...debit, debitAtMs: null } });
  if (outcome === 'late-authorisation') {
    const late = parts.ledger.state.behaviour.lateAuthorisation;
    const lateMs = atMs + (late?.authorizeAfterMs ?? retryAfterMs);
    savePayment(parts, { ...record, steps: [{ to: 'authorized', atMs: lateMs }] });
    return void failPayment(parts, id, 'payment_timed_out');
  }
  if (!passing.has(outcome) || debit.retriesLeft === 0) return void failPayment(parts, id, outcome);
  const debitAtMs = nextInWindows(windows, atMs + retryAfterMs);
  savePayment(parts, { ...record, debit: { ...debit, debitAtMs, retriesLeft: debit.retriesLeft - 1 } });
  return undefined;
}

function findDebit(parts: RazorpayParts, id: string): DebitRecord {
  const record = findPayment(parts, id);
  if (!isDebit(record)) throw badRequest('The payment is not a debit by mandate.');
  if (record.payment.status !== 'created') throw badRequest(`The debit is ${record.payment.status} already.`);
  return record;
}

/** The payer enters the PIN in the app, rightly unless `failure` says otherwise. */
export function answerPin(parts: RazorpayParts, id: string, failure: FailureReason | undefined): PaymentRecord {
  const record = findDebit(parts, id);
  if (record.awaiting !== 'pin') throw badRequest('The debit does not wait for a PIN.');
  const answered: DebitRecord = { ...record, awaiting: null, debit: { ...record.debit, pinUntilMs: null } };
  savePayment(parts, answered);
  if (failure === undefined) settleDebit(parts, answered, nextOutcome(parts));
  else failPayment(parts, id, failure);
  return findPayment(parts, id);
}

/** The payer opts out of one debit after the notice; the mandate stays. */
export function skipDebit(parts: RazorpayParts, id: string): PaymentRecord {
  const { debit } = findDebit(parts, id);
  if (!debit.isNotified) throw badRequest('The payer has not been notified of the debit yet.');
  return failPayment(parts, id, 'payment_cancelled');
}

/** A mandate ends: debits that wait on it fail. */
export function endToken(parts: RazorpayParts, id: string, to: 'cancelled' | 'expired'): void {
  moveToken(parts, id, to);
  const reason = to === 'expired' ? 'mandate_expired' : 'mandate_not_active';
  for (const { payment, debit } of pendingDebits(parts))
    if (debit.tokenId === id && payment.status === 'created') failPayment(parts, payment.id, reason);
}

/** Everything that is due with mandates and debits, in the order of its time. */
export function runDueDebits(parts: RazorpayParts): void {
  const now = parts.now();
  for (const { token, cancellation } of parts.ledger.state.tokens.values()) {
    if (cancellation && cancellation.atMs <= now) {
      const isConfirmed = parts.ledger.state.behaviour.mandates.cancellation === 'confirm';
      if (isConfirmed) endToken(parts, token.id, 'cancelled');
      else moveToken(parts, token.id, cancellation.from, { isQuiet: true });
    }
  }
  for (let due = nextDue(parts, now); due; due = nextDue(parts, now)) {
    const { debit, awaiting, payment } = due;
    if (!debit.isNotified) savePayment(parts, { ...due, debit: { ...debit, isNotified: true } });
    else if (awaiting === 'pin') failPayment(parts, payment.id, 'payment_timed_out');
    else attemptDebit(parts, due);
  }
  for (const record of parts.ledger.state.tokens.values()) {
    const isLive = ['initiated', 'confirmed', 'paused', 'cancellation_initiated'].includes(statusOf(record));
    if (isLive && record.token.expired_at * 1000 <= now) endToken(parts, record.token.id, 'expired');
  }
}

const dueAt = ({ debit, awaiting }: DebitRecord) =>
  !debit.isNotified
    ? debit.noticeAtMs
    : awaiting === 'pin'
      ? (debit.pinUntilMs ?? Infinity)
      : (debit.debitAtMs ?? Infinity);

function nextDue(parts: RazorpayParts, now: number): DebitRecord | undefined {
  return pendingDebits(parts)
    .filter((record) => record.payment.status === 'created' && dueAt(record) <= now)
    .toSorted((one, other) => dueAt(one) - dueAt(other))[0];
}
