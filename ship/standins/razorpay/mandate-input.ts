import { type Frequency, frequencySchema } from '#ship/standins/razorpay/billing-cycles.ts';
import { readCustomerId } from '#ship/standins/razorpay/customers.ts';
import type { Order } from '#ship/standins/razorpay/entities.ts';
import { badRequest, unknownId } from '#ship/standins/razorpay/errors.ts';
import { randomId } from '#ship/standins/razorpay/ids.ts';
import { type Fields, isFields, readFields, readNumber } from '#ship/standins/razorpay/input.ts';
import type { OrderRecord } from '#ship/standins/razorpay/ledger.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';

const yearSeconds = 365 * 86_400;

type Limits = { min: number; max: number; amount?: number; years: number; frequencies: readonly Frequency[] };
const cardFrequencies = ['as_presented', 'monthly'] as const;

/** What a mandate may say, by method; `amount` where it may say no ceiling. Amounts are in paise. */
const limits: Record<'card' | 'upi' | 'emandate', Limits> = {
  card: { min: 100, max: 1_500_000, years: 10, frequencies: cardFrequencies },
  upi: { min: 100, max: 9_999_900, years: 30, frequencies: frequencySchema.options },
  emandate: { min: 500, max: 100_000_000, amount: 9_999_900, years: 30, frequencies: ['as_presented'] },
};

const methods = ['card', 'upi', 'netbanking', 'emandate'] as const;
const isMethod = (value: unknown): value is (typeof methods)[number] => methods.some((method) => method === value);
const isFrequency = (value: unknown): value is Frequency => frequencySchema.safeParse(value).success;

/** The method that an order must be paid by, and the mandate that it asks for: `customer_id`, `method` and `token`. */
export function readMandate(
  parts: RazorpayParts,
  fields: Fields,
  nowMs: number,
): Pick<OrderRecord, 'method' | 'mandate'> {
  const { method = null, token } = fields;
  if (method !== null && !isMethod(method)) throw badRequest('The selected method is invalid.', 'method');
  const customerId = readCustomerId(parts, fields['customer_id']);
  if (token === undefined) return { method, mandate: null };
  if (!parts.ledger.state.behaviour.mandates.active)
    throw badRequest('The recurring feature is not enabled on your account.', 'token');
  if (customerId === null) throw badRequest('The customer id field is required.', 'customer_id');
  if (method === null) throw badRequest('The method field is required.', 'method');
  if (method === 'netbanking') throw badRequest('The selected method is invalid.', 'method');
  if (!isFields(token)) throw badRequest('The token must be an object.', 'token');
  const known = ['max_amount', 'expire_at', 'frequency', 'recurring_value', 'recurring_type', 'auth_type', 'notes'];
  const asked = readFields(token, known);
  const { min, max, amount, years, frequencies } = limits[method];
  const now = Math.floor(nowMs / 1000);
  const maxAmount = asked['max_amount'] ?? amount;
  const frequency = asked['frequency'] ?? (frequencies.length === 1 ? frequencies[0] : undefined);
  if (!isFrequency(frequency) || !frequencies.includes(frequency))
    throw badRequest('The selected token.frequency is invalid.', 'token.frequency');
  return {
    method,
    mandate: {
      customerId,
      maxAmount: readNumber(maxAmount, 'token.max_amount', min, max),
      expireAt: readNumber(
        asked['expire_at'] ?? now + 10 * yearSeconds,
        'token.expire_at',
        now,
        now + (years + 1) * yearSeconds,
      ),
      frequency,
    },
  };
}

/** When the payer of a debit is notified, if the business says so: 25 hours before `payment_after`. */
export function readNotification(parts: RazorpayParts, value: unknown, nowMs: number): Order['notification'] {
  if (value === undefined) return undefined;
  const { token_id: tokenId, payment_after: after } = readFields(value, ['token_id', 'payment_after']);
  if (typeof tokenId !== 'string' || !parts.ledger.state.tokens.has(tokenId)) throw unknownId();
  const now = Math.floor(nowMs / 1000);
  const earliest = now + Math.floor(parts.ledger.state.behaviour.mandates.debitAfterMs / 1000);
  const payment_after = readNumber(after ?? earliest, 'notification.payment_after', now, now + yearSeconds);
  return { id: `notification_${randomId()}`, token_id: tokenId, payment_after };
}
