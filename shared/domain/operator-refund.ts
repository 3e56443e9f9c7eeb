import type { StoredStatus } from '#shared/domain/cycle.ts';
import { formatRupees } from '#shared/domain/money.ts';
import {
  cashLeftOf,
  leastRefundPaise,
  leftAtProvider,
  leftOf,
  type PaidBack,
  withheldBesideCash,
  withheldOfRefund,
} from '#shared/domain/refund-payout.ts';

/** Refunds that an operator decides (product §6.30). */

/** A plan or pack that a payment paid for. */
export interface RefundableCycle extends PaidBack {
  cycleId: string;
  status: StoredStatus;
}

/** The refund of one cycle. */
export interface RefundShare {
  cycleId: string;
  /** Of the price. */
  amountPaise: number;
  /** What of that never came, so that the customer doesn't get it (decision 075). */
  withheldPaise: number;
  /** Nothing of its payment is left afterwards, so it gives no more access. */
  endsCycle: boolean;
}

/** The largest part of the cash that is left that leaves enough for another refund by the provider; undefined when there is none, and only all goes back. */
export function largestPart(leftPaise: number): number | undefined {
  const part = leftPaise - leastRefundPaise;
  return part >= leastRefundPaise ? part : undefined;
}

/**
 * The refunds of some cycles: all that is left of each, or what the customer gets of the only one. Undefined when that is more than is left, or when
 * it or what it leaves is less than the provider refunds; empty when nothing is left.
 */
export function refundShares(cycles: readonly RefundableCycle[], askedPaise?: number): RefundShare[] | undefined {
  const open = cycles.filter((cycle) => leftOf(cycle) > 0);
  if (askedPaise === undefined) return open.map((cycle) => shareOf(cycle, leftOf(cycle)));
  const [only, ...others] = open;
  if (!only || others.length > 0) return undefined;
  const isPart = askedPaise >= leastRefundPaise && askedPaise <= (largestPart(cashLeftOf(only)) ?? 0);
  if (!Number.isSafeInteger(askedPaise) || !(isPart || askedPaise === cashLeftOf(only))) return undefined;
  return [shareOf(only, askedPaise + withheldBesideCash(only, askedPaise))];
}

function shareOf(cycle: RefundableCycle, amountPaise: number): RefundShare {
  const { cycleId, status } = cycle;
  const withheldPaise = withheldOfRefund(cycle, amountPaise);
  const endsCycle = status === 'PAID' && amountPaise - withheldPaise >= leftAtProvider(cycle);
  return { cycleId, amountPaise, withheldPaise, endsCycle };
}

/** Why an amount of some cycles can't be refunded, and what can be. */
export function whyNotRefundable(cycles: readonly RefundableCycle[]): string {
  const open = cycles.filter((cycle) => leftOf(cycle) > 0);
  if (open.length > 1) {
    const each = open.map((cycle) => `${cycle.cycleId} (${formatRupees(cashLeftOf(cycle))} left)`).join(', ');
    return `This payment paid for several plans. Name the one that the amount is of: ${each}.`;
  }
  const leftPaise = open.reduce((sum, cycle) => sum + cashLeftOf(cycle), 0);
  const all = `all of ${formatRupees(leftPaise)}`;
  const part = largestPart(leftPaise);
  if (part === undefined) return `Only ${all} can be refunded.`;
  return `Between ₹1 and ${formatRupees(part)} can be refunded, or ${all}: Razorpay could not refund a rest below ₹1.`;
}
