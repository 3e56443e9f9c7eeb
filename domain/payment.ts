/**
 * Payments as the provider tells of them. Deliveries come late, twice and in any order, so a payment only ever moves forward;
 * a failed one may still be authorised days later (late authorisation).
 */

/** What is stored of a payment, from the earliest to the final state. */
export const paymentStatuses = ['created', 'failed', 'authorized', 'captured'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** The stored status for what the provider says. What it has given back by itself was captured before; that money is on its way back. */
export function paymentStatusOf(providerStatus: string): PaymentStatus {
  if (providerStatus === 'captured' || providerStatus === 'refunded') return 'captured';
  return providerStatus === 'failed' || providerStatus === 'authorized' ? providerStatus : 'created';
}

/** May a payment that is stored as `from` become `to`? Never backwards; nothing follows the capture. */
export function movesForward(from: PaymentStatus, to: PaymentStatus): boolean {
  return paymentStatuses.indexOf(to) > paymentStatuses.indexOf(from);
}

/** What decides whether captured money can pay for its cycle. */
export interface CaptureFacts {
  orderPaise: number;
  orderCurrency: string;
  paidPaise: number;
  paidCurrency: string;
  /** What the plan costs this buyer now, and what its cycle was ordered at. */
  duePaise: number;
  cyclePaise: number;
  /** Has the whole amount gone back at the provider before it could pay for anything? */
  isGone: boolean;
  cycleStatus: string;
  isActivationDeleted: boolean;
  /** Cycles of the activation that were paid in the last hour. */
  paidInLastHour: number;
}

/** Why captured money goes back, or undefined when it pays for its cycle (product §4.14, §6.3): money is never kept for nothing. */
export function whyRefunded(facts: CaptureFacts): string | undefined {
  if (facts.paidPaise !== facts.orderPaise || facts.paidCurrency !== facts.orderCurrency)
    return 'The amount differs from the order';
  if (facts.isGone) return 'The payment provider gave it back';
  if (facts.isActivationDeleted) return 'The activation was deleted';
  if (facts.cycleStatus === 'PAID') return 'The subscription was paid already';
  if (facts.cycleStatus !== 'PAYMENT_PENDING') return 'The subscription was removed';
  // The invoice could not be over what was paid and right at once: a new order asks for the price of now.
  if (facts.paidPaise !== facts.duePaise || facts.paidPaise !== facts.cyclePaise)
    return 'The price changed before it was paid';
  return facts.paidInLastHour >= bounds.paidCyclesPerHour ? tooManyPaid : undefined;
}

/** The reason of a refund that a bound caused: such a refund is an alarm. */
export const tooManyPaid = 'Too many subscriptions were paid within one hour';

/**
 * However wrong a program goes, an activation can't do more than this within an hour. A person who prepays half a year stays
 * well below; a loop is stopped.
 */
export const bounds = {
  /** An order is refused once this many orders were made for the activation. */
  ordersPerHour: 20,
  /** An order is refused once this many cycles of the activation were paid. */
  paidCyclesPerHourForOrder: 8,
  /** What is captured beyond this goes back: reached only by orders that were open before. */
  paidCyclesPerHour: 12,
} as const;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** Since the order was last asked for. */
const firstChecksMs = [5 * second, 15 * second, minute, 5 * minute, 15 * minute];
const lastCheckMs = 5 * 24 * hour;

/** When an order is checked for the `check`-th time (from 0), in milliseconds since it was asked for. */
function checkAtMs(check: number): number {
  return firstChecksMs[check] ?? (firstChecksMs.at(-1) ?? 0) + (check - firstChecksMs.length + 1) * hour;
}

/**
 * How long to wait (milliseconds) before the provider is asked about an order for the `done`-th + 1 time: at 5 s, 15 s, 1 min,
 * 5 min and 15 min after it was asked for, then hourly for five days, the longest that a bank takes to answer late.
 * Undefined when it was asked often enough.
 */
export function nextCheckAfterMs(done: number): number | undefined {
  const next = checkAtMs(done);
  return next > lastCheckMs ? undefined : next - (done === 0 ? 0 : checkAtMs(done - 1));
}

/**
 * Exponential back-off: milliseconds to wait after `tries` attempts, from 2 s, doubling, up to an hour. For refunds that the provider
 * has not confirmed, and for its webhooks that could not be acted on.
 */
export function retryBackoffMs(tries: number): number {
  return Math.min(hour, 2 * second * 2 ** Math.min(tries, 20));
}
