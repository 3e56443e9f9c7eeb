import type { Card, Order, Payment, Token } from '#ship/standins/razorpay/entities.ts';
import { badRequest, unknownId } from '#ship/standins/razorpay/errors.ts';
import { randomId } from '#ship/standins/razorpay/ids.ts';
import type { PaymentRecord, TokenRecord } from '#ship/standins/razorpay/ledger.ts';
import { findOrder } from '#ship/standins/razorpay/lookup.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';

/** What a payment is made with. */
export type Instrument = Pick<Payment, 'method' | 'bank' | 'vpa' | 'international' | 'upi'> & { card: Card | null };
/** Which mandate a payment gives, or is debited by. */
export type Mandate = { customer_id: string; token_id: string };
export type TokenStatus = Token['recurring_details']['status'];

export function findToken(parts: RazorpayParts, id: string): TokenRecord {
  const record = parts.ledger.state.tokens.get(id);
  if (!record) throw unknownId();
  return record;
}

export const statusOf = (record: TokenRecord): TokenStatus => record.token.recurring_details.status;

function saveToken(parts: RazorpayParts, record: TokenRecord, changes: Partial<Token> = {}): TokenRecord {
  const value = { ...record, token: { ...record.token, ...changes } };
  parts.ledger.save({ kind: 'token', value });
  return value;
}

/**
 * The mandate that a payment of this order gives, from the checkout's `customer_id`; undefined for a payment of one time.
 * The payer has been asked for it, and nothing more.
 */
export function registerMandate(
  parts: RazorpayParts,
  order: Order,
  { method, bank, vpa, card }: Instrument,
  customerId: string | undefined,
): Mandate | undefined {
  const { mandate } = findOrder(parts, order.id);
  if (mandate === null || customerId === undefined) return undefined;
  if (customerId !== mandate.customerId) throw unknownId();
  if (method !== 'card' && method !== 'upi' && method !== 'emandate') throw badRequest('The method has no mandates.');
  const now = Math.floor(parts.now() / 1000);
  const [username = '', handle = ''] = (vpa ?? '').split('@');
  const token: Token = {
    id: `token_${randomId()}`,
    entity: 'token',
    token: randomId(),
    bank,
    wallet: null,
    method,
    ...(card && { card }),
    ...(vpa !== null && { vpa: { username, handle, name: null } }),
    recurring: true,
    recurring_details: { status: 'initiated', failure_reason: null },
    auth_type: null,
    mrn: null,
    used_at: null,
    created_at: now,
    start_time: now,
    dcc_enabled: false,
    max_amount: mandate.maxAmount,
    expired_at: mandate.expireAt,
  };
  const { frequency } = mandate;
  saveToken(parts, { token, customerId, frequency, cancellation: null, debitedAtMs: null, isDeleted: false });
  return { customer_id: customerId, token_id: token.id };
}

/** Changes the state of a mandate, and sends the event of the new one if Razorpay has one. */
export function moveToken(
  parts: RazorpayParts,
  id: string,
  to: TokenStatus,
  changes: { failure?: string; cancellation?: TokenRecord['cancellation']; isQuiet?: boolean } = {},
): TokenRecord {
  const known = findToken(parts, id);
  const isResumed = to === 'confirmed' && known.token.used_at !== null;
  const record = saveToken(
    parts,
    { ...known, cancellation: changes.cancellation ?? null },
    {
      recurring_details: { status: to, failure_reason: changes.failure ?? null },
      ...(to === 'confirmed' && !isResumed && { used_at: Math.floor(parts.now() / 1000) }),
    },
  );
  if (changes.isQuiet) return record;
  const isAnnounced = to === 'rejected' || to === 'paused' || to === 'cancelled' || (to === 'confirmed' && !isResumed);
  if (isAnnounced) parts.webhooks.emit({ event: `token.${to}`, token: record.token });
  return record;
}

/** What the result of a payment means for its mandate: the first one registers it, a debit uses it. */
export function followPayment(parts: RazorpayParts, { payment, debit }: PaymentRecord): void {
  if (payment.token_id === undefined) return;
  const record = findToken(parts, payment.token_id);
  if (debit) {
    const debitedAtMs = parts.now();
    if (payment.status === 'authorized')
      saveToken(parts, { ...record, debitedAtMs }, { used_at: Math.floor(debitedAtMs / 1000) });
    return;
  }
  const { registration } = parts.ledger.state.behaviour.mandates;
  const status = statusOf(record);
  if (payment.status === 'failed' && status === 'initiated')
    moveToken(parts, record.token.id, 'rejected', { failure: rejectedFor(payment) });
  // A payment may be authorised after it has failed.
  if (payment.status !== 'authorized' || !['initiated', 'rejected'].includes(status)) return;
  if (registration === 'confirm') moveToken(parts, record.token.id, 'confirmed');
  if (registration === 'reject') moveToken(parts, record.token.id, 'rejected', { failure: 'Rejected by bank' });
}

const rejectedFor = (payment: Payment) => payment.error_description ?? 'Rejected by bank';

/** The tokens that the list of a customer shows: not those expired or never used. */
export function listedTokens(parts: RazorpayParts, customerId: string): Token[] {
  return [...parts.ledger.state.tokens.values()]
    .filter((record) => record.customerId === customerId && !record.isDeleted)
    .filter((record) => record.token.used_at !== null && statusOf(record) !== 'expired')
    .map(({ token }) => token);
}

export function findTokenOf(parts: RazorpayParts, customerId: string, id: string): TokenRecord {
  const record = findToken(parts, id);
  if (record.customerId !== customerId || record.isDeleted) throw unknownId();
  return record;
}

export function deleteToken(parts: RazorpayParts, record: TokenRecord): void {
  saveToken(parts, { ...record, isDeleted: true });
}

/** The business asks the network to end a mandate; the network's word comes later, and may be no. */
export function requestCancellation(parts: RazorpayParts, record: TokenRecord): void {
  const from = statusOf(record);
  if (!['initiated', 'confirmed', 'paused'].includes(from))
    throw badRequest(`A token that is ${from} cannot be cancelled.`);
  const atMs = parts.now() + parts.ledger.state.behaviour.mandates.cancelAfterMs;
  moveToken(parts, record.token.id, 'cancellation_initiated', { cancellation: { atMs, from } });
}
