import { addDays, type Day } from '#domain/day.ts';

/** How refunds are paid out (decision 055). */

/**
 * `PROVIDER`: the payment provider sends the money back the way it was paid. `TRANSFER`: it can't, and the operator transfers the money to the
 * customer's bank account.
 */
export type RefundPayout = 'PROVIDER' | 'TRANSFER';

/** The provider refunds payments of up to six months (Razorpay, "Refunds"); the shortest six months have 181 days. */
const refundableDays = 180;

/** The provider's smallest amount, in paise. */
export const leastRefundPaise = 100;

/** The last day on which the provider refunds a payment that was captured on a day. */
export function lastRefundDay(capturedOn: Day): Day {
  return addDays(capturedOn, refundableDays);
}

/** How a refund that is started today is paid out. */
export function payoutOf(refund: { amountPaise: number; capturedOn: Day; today: Day }): RefundPayout {
  const { amountPaise, capturedOn, today } = refund;
  return amountPaise >= leastRefundPaise && today <= lastRefundDay(capturedOn) ? 'PROVIDER' : 'TRANSFER';
}

/** What is refunded of unused days that are worth this much: nothing below a rupee, which the provider could not pay. */
export const refundOfUnused = (paise: number): number => (paise >= leastRefundPaise ? paise : 0);

/** The number of a bank transfer as banks write it (NEFT, RTGS, IMPS or UPI), without blanks; undefined when it can't be one. */
export function readUtr(text: string): string | undefined {
  const utr = text.replaceAll(/\s+/g, '').toUpperCase();
  return /^[A-Z0-9]{6,30}$/.test(utr) ? utr : undefined;
}
