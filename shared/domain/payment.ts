/**
 * Payments as reported by the provider. Reports come late, twice and in any order, so a payment only ever moves
 * forward; a failed one may still be authorised days later (late authorisation).
 */

/** The stored status of a payment, from the earliest to the final state. */
export const paymentStatuses = ['created', 'failed', 'authorized', 'captured'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/**
 * The stored status for a status of the provider. A payment that the provider refunded by itself was captured before.
 */
export function paymentStatusOf(providerStatus: string): PaymentStatus {
  if (providerStatus === 'captured' || providerStatus === 'refunded') return 'captured';
  return providerStatus === 'failed' || providerStatus === 'authorized' ? providerStatus : 'created';
}

/** True when a payment stored as `from` may become `to`: never backwards, and captured is final. */
export function movesForward(from: PaymentStatus, to: PaymentStatus): boolean {
  return paymentStatuses.indexOf(to) > paymentStatuses.indexOf(from);
}

/** A cycle that an order covers, when its payment is captured. */
export interface OrderedCycle {
  status: string;
  /** Its share of the order. */
  orderedPaise: number;
  /** The plan's price for this buyer now, and the price at which the cycle was ordered. */
  duePaise: number;
  pricePaise: number;
}

/** What decides whether captured money can pay for its cycles. */
export interface CaptureFacts {
  orderPaise: number;
  orderCurrency: string;
  paidPaise: number;
  paidCurrency: string;
  cycles: readonly OrderedCycle[];
  /** The provider refunded the whole amount before it could pay for anything. */
  isGone: boolean;
  isActivationDeleted: boolean;
  /** The operator blocked the customer. */
  isBlocked: boolean;
  /** Why a debit of a renewal pays for nothing any more. */
  debitIsVoid: string | undefined;
  /** It would replace the running plan today, and another plan covers some of its days. */
  isSwitchBlocked: boolean;
  /** It is for a pack, and the cycle that this adds to has ended. */
  isPackLate: boolean;
  /** It is for a pack, and the calls of the cycle that this adds to are refused, as a bill is overdue. */
  isPackOfStopped: boolean;
  /** Payments for cycles of the activation in the last hour. */
  paidInLastHour: number;
}

const isPriceKept = ({ orderedPaise, duePaise, pricePaise }: OrderedCycle): boolean =>
  orderedPaise === duePaise && orderedPaise === pricePaise;

/**
 * Why captured money is refunded, or undefined when it pays for its cycles (product §4.14, §6.3): money is never kept
 * without a purchase. A payment for several cycles pays for all of them or is refunded as a whole (product §4.18).
 */
export function whyRefunded(facts: CaptureFacts): string | undefined {
  const { cycles } = facts;
  if (facts.paidPaise !== facts.orderPaise || facts.paidCurrency !== facts.orderCurrency)
    return 'The amount differs from the order';
  if (facts.isGone) return 'The payment provider gave it back';
  if (facts.isActivationDeleted) return 'The activation was deleted';
  if (facts.isBlocked) return 'The account is blocked';
  const which = cycles.length > 1 ? 'One of the subscriptions' : 'The subscription';
  if (cycles.some(({ status }) => status === 'PAID')) return `${which} was paid already`;
  if (cycles.some(({ status }) => status !== 'PAYMENT_PENDING')) return `${which} was removed`;
  if (facts.debitIsVoid !== undefined) return facts.debitIsVoid;
  // An invoice could not show both the paid amount and the current price: a new order uses the current price.
  if (!cycles.every(isPriceKept)) return priceChanged;
  if (facts.isSwitchBlocked) return 'Another plan covers the days of the new one';
  if (facts.isPackLate) return 'The plan that the pack adds to has ended';
  if (facts.isPackOfStopped) return 'A bill is overdue, so calls of the plan that the pack adds to are refused';
  return facts.paidInLastHour >= bounds.paymentsPerHour ? tooManyPaid : undefined;
}

/** One payment pays for at most this many cycles. */
export const maxPeriods = 12;

/** At most this many subscriptions of an activation wait for their payment: what one payment can pay for is added while as many others wait. */
export const maxUnpaid = 2 * maxPeriods;

/** The reason of a refund of what is not sold as it was ordered any more. */
export const priceChanged = 'The price changed before it was paid';

/** The reason of a refund caused by a limit; such a refund raises an alarm. */
export const tooManyPaid = 'Too many payments were made within one hour';

/**
 * Limits per activation and hour, in case of a bug. A person who prepays half a year stays well below; a loop is
 * stopped.
 */
export const bounds = {
  /** An order is refused once this many orders were created for the activation. */
  ordersPerHour: 20,
  /** An order is refused once this many orders of the activation were paid. */
  paymentsPerHourForOrder: 8,
  /** Payments captured beyond this are refunded: reached only by orders that were already open. */
  paymentsPerHour: 12,
} as const;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** Since the order was last used. */
const firstChecksMs = [5 * second, 15 * second, minute, 5 * minute, 15 * minute];
/** Between two later ones, and so the longest between any two. */
export const longestCheckWaitMs = hour;
const lastCheckMs = 5 * 24 * hour;

/** When the check number `check` (from 0) of an order is due, in milliseconds since it was last used. */
function checkAtMs(check: number): number {
  return firstChecksMs[check] ?? (firstChecksMs.at(-1) ?? 0) + (check - firstChecksMs.length + 1) * longestCheckWaitMs;
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

export const longestBackoffMs = hour;

/**
 * Exponential back-off: milliseconds to wait after `tries` attempts, from 2 s, doubling, up to an hour. For refunds that the provider
 * has not confirmed, and for its webhooks that could not be acted on.
 */
export function retryBackoffMs(tries: number): number {
  return Math.min(longestBackoffMs, 2 * second * 2 ** Math.min(tries, 20));
}
