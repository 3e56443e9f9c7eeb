import { addDays, type Day } from '#shared/domain/day.ts';

/** How refunds are paid out (decision 055). */

/**
 * `PROVIDER`: the payment provider sends the money back the way it was paid. `TRANSFER`: it can't, and the operator transfers the money to the
 * customer's bank account. `WITHHELD`: tax that the customer had deducted from a bank transfer; nothing is paid out.
 */
export type RefundPayout = 'PROVIDER' | 'TRANSFER' | 'WITHHELD';

/** How money is paid out. */
export type PaidOut = Exclude<RefundPayout, 'WITHHELD'>;

/** The provider refunds payments of up to six months (Razorpay, "Refunds"); the shortest six months have 181 days. */
const refundableDays = 180;

/** The provider's smallest amount, in paise. */
export const leastRefundPaise = 100;

/** The last day on which the provider refunds a payment that was captured on a day. */
export function lastRefundDay(capturedOn: Day): Day {
  return addDays(capturedOn, refundableDays);
}

/** What was paid for a plan or pack, and what of it was refunded or is going to be. */
export interface PaidBack {
  paidPaise: number;
  /** Whatever for. */
  givenBackPaise: number;
  /** What of that was tax deducted at source: the Government pays us that part of the price, so none of the price went back (product §6.27). */
  deductedPaise: number;
  /** What of the price never came, as tax that was withheld from a bank transfer and that no certificate proves, and was not reversed yet. */
  unprovedPaise?: number;
}

/** The same of the refunds of a plan or pack. */
export function paidBackOf(
  paidPaise: number,
  refunds: readonly { origin: string; amountPaise: number; coversPaise: number }[],
  unprovedPaise = 0,
): PaidBack {
  const sumOf = (of: typeof refunds) => of.reduce((sum, refund) => sum + refund.amountPaise - refund.coversPaise, 0);
  const deducted = refunds.filter(({ origin }) => origin === 'TDS');
  return { paidPaise, givenBackPaise: sumOf(refunds), deductedPaise: sumOf(deducted), unprovedPaise };
}

/** What of its price can still be refunded. */
export const leftOf = ({ paidPaise, givenBackPaise, deductedPaise }: PaidBack): number =>
  paidPaise - givenBackPaise + deductedPaise;

/** What of that may go back in cash: never more than came, unless a certificate proves the tax (decision 075). */
export const cashLeftOf = (paid: PaidBack): number => Math.max(0, leftOf(paid) - (paid.unprovedPaise ?? 0));

/** How much of a refund never came, so that it reverses what was receivable, and is not paid out. */
export const withheldOfRefund = (paid: PaidBack, amountPaise: number): number =>
  Math.max(0, amountPaise - cashLeftOf(paid));

/** What of its payment the provider still has to refund; without tax deducted at source, the same. */
export const leftAtProvider = ({ paidPaise, givenBackPaise }: PaidBack): number =>
  Math.max(0, paidPaise - givenBackPaise);

/** How a refund that is started today is paid out. `leftPaise`: what the provider still has of what was paid. */
export function payoutOf(refund: {
  amountPaise: number;
  leftPaise: number;
  capturedOn: Day;
  today: Day;
  /** The money came to our own bank account, and never was with the provider. */
  isOwnTransfer: boolean;
}): PaidOut {
  const { amountPaise, leftPaise, capturedOn, today } = refund;
  if (refund.isOwnTransfer) return 'TRANSFER';
  const isPayable = amountPaise >= leastRefundPaise && amountPaise <= leftPaise && today <= lastRefundDay(capturedOn);
  return isPayable ? 'PROVIDER' : 'TRANSFER';
}

/** What is refunded of unused days that are worth this much: nothing below a rupee, which the provider could not pay. */
export const refundOfUnused = (paise: number): number => (paise >= leastRefundPaise ? paise : 0);

/** The number of a bank transfer as banks write it (NEFT, RTGS, IMPS or UPI), without blanks; undefined when it can't be one. */
export function readUtr(text: string): string | undefined {
  const utr = text.replaceAll(/\s+/g, '').toUpperCase();
  return /^[A-Z0-9]{6,30}$/.test(utr) ? utr : undefined;
}
