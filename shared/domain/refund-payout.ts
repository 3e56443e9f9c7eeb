import { addDays, type Day } from '#shared/domain/day.ts';

/** How refunds are paid out (decision 055). */

/**
 * `PROVIDER`: the payment provider sends the money back the way it was paid. `TRANSFER`: it can't, and the operator transfers the money to the
 * customer's bank account. `WITHHELD`: tax that the customer had deducted from a bank transfer; nothing is paid out. `OFFSET`: what was sold on credit
 * terms is not paid yet, and less is due of it (decision 081).
 */
export type RefundPayout = 'PROVIDER' | 'TRANSFER' | 'WITHHELD' | 'OFFSET';

/** How money is paid out. */
export type PaidOut = Exclude<RefundPayout, 'WITHHELD'>;

/** The same of a refund: what is due is lowered first, and only the rest is paid out. All of it only lowers what is due where `payout` is `OFFSET`. */
export interface Payout {
  payout: PaidOut;
  offsetPaise: number;
}

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
  /** What of the refunds was such tax: it was not paid out. */
  reversedPaise?: number;
}

/** The same of the refunds of a plan or pack. */
export function paidBackOf(
  paidPaise: number,
  refunds: readonly { origin: string; amountPaise: number; coversPaise: number; withheldPaise?: number }[],
  unprovedPaise = 0,
): PaidBack {
  const sumOf = (of: typeof refunds) => of.reduce((sum, refund) => sum + refund.amountPaise - refund.coversPaise, 0);
  const deducted = refunds.filter(({ origin }) => origin === 'TDS');
  const reversedPaise = refunds.reduce((sum, { withheldPaise = 0 }) => sum + withheldPaise, 0);
  return { paidPaise, givenBackPaise: sumOf(refunds), deductedPaise: sumOf(deducted), unprovedPaise, reversedPaise };
}

/** What of its price can still be refunded. */
export const leftOf = ({ paidPaise, givenBackPaise, deductedPaise }: PaidBack): number =>
  paidPaise - givenBackPaise + deductedPaise;

/** What of that may go back in cash: never more than came, unless a certificate proves the tax (decision 075). */
export const cashLeftOf = (paid: PaidBack): number => Math.max(0, leftOf(paid) - (paid.unprovedPaise ?? 0));

/**
 * How much of a refund never came, so that it reverses what was receivable, and is not paid out: of each part of a price as much as of the whole, so
 * that what is kept for use was paid in cash as the rest was (decision 075). A part of a paisa is tax.
 */
export const withheldOfRefund = (paid: PaidBack, amountPaise: number): number =>
  partOf(amountPaise, { of: leftOf(paid), is: paid.unprovedPaise ?? 0 });

/** The tax that is reversed where an amount goes back in cash: the price that is given back is more by it. */
export const withheldBesideCash = (paid: PaidBack, cashPaise: number): number =>
  partOf(cashPaise, { of: cashLeftOf(paid), is: paid.unprovedPaise ?? 0 });

/** How much of a refund of GST never came: tax is deducted from the value without GST, so all of it came, as long as there is cash. */
export const withheldOfGst = (paid: PaidBack, amountPaise: number): number =>
  Math.max(0, amountPaise - cashLeftOf(paid));

/** What papers and mails say of the tax that a refund reverses. */
export interface ReversedTax {
  /** What the payer had deducted, so that it never came. */
  withheldPaise?: number;
  /** What was paid out for that before, as if a certificate had proved it: a restore has lost its acceptance. */
  taxPaidBeforePaise?: number;
}

/** The same of one refund: first what was deducted, of which all papers of a price together name no more than that, then what was paid out for it before. */
export function reversedTaxOf(
  reversedPaise: number,
  { deductedPaise, reversedBeforePaise }: { deductedPaise: number; reversedBeforePaise: number },
): ReversedTax {
  const withheldPaise = Math.min(reversedPaise, Math.max(0, deductedPaise - reversedBeforePaise));
  const taxPaidBeforePaise = reversedPaise - withheldPaise;
  return { ...(withheldPaise > 0 && { withheldPaise }), ...(taxPaidBeforePaise > 0 && { taxPaidBeforePaise }) };
}

/** What an amount has of something, where `of` has `is` of it; rounded up. */
function partOf(paise: number, { of, is }: { of: number; is: number }): number {
  if (of <= 0 || is <= 0) return 0;
  const [amount, whole] = [BigInt(paise), BigInt(of)];
  return Number((amount * BigInt(is) + whole - 1n) / whole);
}

/** What of its payment the provider still has to refund; without tax deducted at source, the same. */
export const leftAtProvider = ({ paidPaise, givenBackPaise, reversedPaise = 0 }: PaidBack): number =>
  Math.max(0, paidPaise - givenBackPaise + reversedPaise);

/** How a refund that is started today is paid out. `leftPaise`: what the provider still has of what was paid. */
export function payoutOf(refund: {
  amountPaise: number;
  leftPaise: number;
  capturedOn: Day;
  today: Day;
  /** The money came to our own bank account, or was sold on credit terms: it never was with the provider under this payment. */
  isOwnTransfer: boolean;
  /** What is still due of what was sold on credit terms. */
  duePaise?: number;
}): Payout {
  const { leftPaise, capturedOn, today, duePaise = 0 } = refund;
  const offsetPaise = Math.min(refund.amountPaise, duePaise);
  const amountPaise = refund.amountPaise - offsetPaise;
  if (offsetPaise > 0 && amountPaise === 0) return { payout: 'OFFSET', offsetPaise };
  if (refund.isOwnTransfer) return { payout: 'TRANSFER', offsetPaise };
  const isPayable = amountPaise >= leastRefundPaise && amountPaise <= leftPaise && today <= lastRefundDay(capturedOn);
  return { payout: isPayable ? 'PROVIDER' : 'TRANSFER', offsetPaise };
}

/** What is refunded of unused days that are worth this much: nothing where the customer would get less than a rupee, which the provider could not pay. */
export const refundOfUnused = (paid: PaidBack, paise: number): number =>
  paise - withheldOfRefund(paid, paise) >= leastRefundPaise ? paise : 0;

/** The number of a bank transfer as banks write it (NEFT, RTGS, IMPS or UPI), without blanks; undefined when it can't be one. */
export function readUtr(text: string): string | undefined {
  const utr = text.replaceAll(/\s+/g, '').toUpperCase();
  return /^[A-Z0-9]{6,30}$/.test(utr) ? utr : undefined;
}
