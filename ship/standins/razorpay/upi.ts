import { checkMethod, nextForcedOutcome, playOutcome } from '#ship/standins/razorpay/attempt.ts';
import { answerPin } from '#ship/standins/razorpay/debits.ts';
import type { Order, Payment } from '#ship/standins/razorpay/entities.ts';
import { badRequest, unknownId } from '#ship/standins/razorpay/errors.ts';
import { randomId } from '#ship/standins/razorpay/ids.ts';
import type { Outcome } from '#ship/standins/razorpay/instruments.ts';
import type { PaymentRecord, QrCode } from '#ship/standins/razorpay/ledger.ts';
import { findOrder, findPayment, savePayment } from '#ship/standins/razorpay/lookup.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { registerMandate } from '#ship/standins/razorpay/tokens.ts';
import { type Payer, createPayment, pendingTimeoutMs } from '#ship/standins/razorpay/payments.ts';

/** Razorpay doesn't document how long a code of its checkout can be paid. */
export const qrCodeLifetimeMs = 720_000;

export type UpiFlow = 'qr' | 'intent' | 'collect';

/**
 * What a device may be offered since 28 February 2026: a QR code on a desktop, apps on a phone. Typing a UPI ID is still
 * allowed on iOS (and for kinds of business that ours is not).
 */
export function upiFlowsOf(userAgent: string | undefined): UpiFlow[] {
  if (/iPhone|iPad|iPod/.test(userAgent ?? '')) return ['intent', 'collect'];
  return /Android/.test(userAgent ?? '') ? ['intent'] : ['qr'];
}

/** The merchant at its bank; 5817 are digital goods. */
const merchant = { vpa: 'merchant.rzp@razorpay', category: '5817' };
/** The payer in the app of the stand-in. */
const payerVpa = 'payer@razorpay';

/** NPCI's link, which a QR code contains and an app is opened with. Its reference `tr` finds the request again. */
function payLink(order: Order, reference: string, payee: string, mode: '04' | '15'): string {
  const fields = {
    ver: '01',
    mode,
    pa: merchant.vpa,
    pn: payee,
    tr: reference,
    tn: `Payment to ${payee}`,
    am: `${Math.floor(order.amount / 100)}.${String(order.amount % 100).padStart(2, '0')}`,
    cu: order.currency,
    mc: merchant.category,
  };
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `upi://pay?${query.join('&')}`;
}

/** Who pays whom; with a customer, the payment gives the mandate that its order asks for. */
export type UpiPayer = { payer: Payer; payee: string; customerId?: string | undefined };

const codePrefix = 'RZPQ';
const appPrefix = 'RZPA';
/** A debit by mandate that asks for the PIN. */
const debitPrefix = 'RZPM';
/** The reference of a payment's request. */
const referenceOf = (prefix: string, { id }: Payment) => `${prefix}${id.slice('pay_'.length)}`;

/** A QR code for an order; a payment exists only once a payer has answered. */
export function createQrCode(parts: RazorpayParts, order: Order, { payer, payee, customerId }: UpiPayer): QrCode {
  checkMethod('upi', findOrder(parts, order.id).method);
  const id = randomId();
  const link = payLink(order, `${codePrefix}${id}`, payee, '15');
  return saveCode(parts, {
    id: `qr_${id}`,
    orderId: order.id,
    payer,
    customerId,
    link,
    closeAtMs: parts.now() + qrCodeLifetimeMs,
    paymentId: null,
  });
}

export function findQrCode(parts: RazorpayParts, id: string): QrCode {
  const code = parts.ledger.state.qrCodes.get(id);
  if (!code) throw unknownId();
  return code;
}

function saveCode(parts: RazorpayParts, code: QrCode): QrCode {
  parts.ledger.save({ kind: 'qr-code', value: code });
  return code;
}

function createUpiPayment(
  parts: RazorpayParts,
  order: Order,
  { payer, customerId }: Pick<UpiPayer, 'payer' | 'customerId'>,
  upi: { flow?: 'intent' },
): PaymentRecord {
  checkMethod('upi', findOrder(parts, order.id).method);
  const instrument = { method: 'upi', bank: null, vpa: null, international: false, card: null, upi } as const;
  const mandate = registerMandate(parts, order, { ...instrument, vpa: payerVpa }, customerId);
  return createPayment(parts, order, instrument, payer, mandate);
}

/** An app is opened: the payment waits for its answer, and fails when none comes. */
export function startInApp(parts: RazorpayParts, order: Order, by: UpiPayer): PaymentRecord {
  const record = createUpiPayment(parts, order, by, { flow: 'intent' });
  const link = payLink(order, referenceOf(appPrefix, record.payment), by.payee, '04');
  return savePayment(parts, {
    ...record,
    awaiting: 'app',
    request: { link, closeAtMs: parts.now() + pendingTimeoutMs, isAnswered: false },
  });
}

/** What a payer's phone sees of a request: `waiting` can be answered. */
export type Request = {
  reference: string;
  by: 'code' | 'app';
  link: string;
  status: 'waiting' | 'paid' | 'answered' | 'expired';
  closes_in_ms: number;
};

function codeRequest(parts: RazorpayParts, code: QrCode): Request {
  const closesInMs = Math.max(0, code.closeAtMs - parts.now());
  const isPaid = findOrder(parts, code.orderId).order.status === 'paid';
  return {
    reference: `${codePrefix}${code.id.slice('qr_'.length)}`,
    by: 'code',
    link: code.link,
    status: isPaid ? 'paid' : closesInMs > 0 ? 'waiting' : 'expired',
    closes_in_ms: closesInMs,
  };
}

function appRequest(parts: RazorpayParts, { payment, request }: PaymentRecord): Request | undefined {
  if (request === null) return undefined;
  const closesInMs = Math.max(0, request.closeAtMs - parts.now());
  // One that was cancelled in the checkout can still be approved: the bank's word comes late.
  const { status, error_reason: reason } = payment;
  const isOpen =
    !request.isAnswered && (status === 'created' || ['payment_cancelled', 'payment_timed_out'].includes(reason ?? ''));
  return {
    reference: referenceOf(appPrefix, payment),
    by: 'app',
    link: request.link,
    status: !isOpen ? 'answered' : closesInMs > 0 ? 'waiting' : 'expired',
    closes_in_ms: closesInMs,
  };
}

/** A debit that asks for the PIN, once its notice and the time of the bank have passed. */
function debitRequest(parts: RazorpayParts, { payment, debit, awaiting }: PaymentRecord): Request | undefined {
  if (debit === null) return undefined;
  const reference = referenceOf(debitPrefix, payment);
  return {
    reference,
    by: 'app',
    link: payLink(findOrder(parts, payment.order_id).order, reference, 'UPI Autopay', '04'),
    status: awaiting === 'pin' ? 'waiting' : 'answered',
    closes_in_ms: Math.max(0, (debit.pinUntilMs ?? 0) - parts.now()),
  };
}

/** All requests that a phone can answer now, the latest first. */
export function waitingRequests(parts: RazorpayParts): Request[] {
  const { qrCodes, payments } = parts.ledger.state;
  const codes = [...qrCodes.values()].map((code) => codeRequest(parts, code));
  const apps = [...payments.values()].flatMap((record) => appRequest(parts, record) ?? []);
  const debits = [...payments.values()].flatMap((record) => debitRequest(parts, record) ?? []);
  return [...codes, ...apps, ...debits]
    .filter(({ status }) => status === 'waiting')
    .toSorted((a, b) => b.closes_in_ms - a.closes_in_ms);
}

/** The request of a link. */
export function findRequest(parts: RazorpayParts, reference: string): Request {
  const id = reference.slice(codePrefix.length);
  const request = reference.startsWith(codePrefix)
    ? codeRequest(parts, findQrCode(parts, `qr_${id}`))
    : (reference.startsWith(debitPrefix) ? debitRequest : appRequest)(parts, findPayment(parts, `pay_${id}`));
  if (request === undefined) throw unknownId();
  return request;
}

/** The payer answers in the app: a PIN of 4 or 6 digits is right, any other wrong, and null declines. */
export function answerRequest(parts: RazorpayParts, reference: string, pin: string | null): PaymentRecord {
  const { status, by } = findRequest(parts, reference);
  if (status === 'paid') throw badRequest('This request has been paid already.');
  if (status === 'answered') throw badRequest('This request has been answered already.');
  if (status === 'expired') throw badRequest('This request has expired. Start the payment again.');
  const id = reference.slice(codePrefix.length);
  const outcome = pin === null ? 'payment_cancelled' : /^(\d{4}|\d{6})$/.test(pin) ? undefined : 'incorrect_pin';
  if (reference.startsWith(debitPrefix)) return answerPin(parts, `pay_${id}`, outcome);
  if (by === 'app') return answerInApp(parts, `pay_${id}`, outcome);
  const code = findQrCode(parts, `qr_${id}`);
  const { order } = findOrder(parts, code.orderId);
  const record = createUpiPayment(parts, order, code, {});
  saveCode(parts, { ...code, paymentId: record.payment.id });
  return play(parts, record, outcome);
}

/** Ends what an app was opened for; without an outcome the behaviour's next one applies, else it is paid. */
export function answerInApp(parts: RazorpayParts, paymentId: string, outcome?: Outcome): PaymentRecord {
  const record = findPayment(parts, paymentId);
  const request = record.request && { ...record.request, isAnswered: true };
  return play(parts, savePayment(parts, { ...record, request }), outcome);
}

function play(parts: RazorpayParts, record: PaymentRecord, forced: Outcome | undefined): PaymentRecord {
  const outcome = forced ?? nextForcedOutcome(parts) ?? 'success';
  const { payment } = record;
  const payer = { vpa: payerVpa, upi: { ...payment.upi, payer_account_type: 'bank_account' as const, vpa: payerVpa } };
  return playOutcome(parts, savePayment(parts, { ...record, payment: { ...payment, ...payer } }), outcome);
}
