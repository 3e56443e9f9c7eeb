import { type BookAccount, bookAccountNames } from '#shared/domain/book-accounts.ts';
import type { Day } from '#shared/domain/day.ts';

/** The kinds of vouchers, as bookkeepers and Tally name them. */
export type BookVoucherKind = 'Sales' | 'Credit Note' | 'Receipt' | 'Payment' | 'Journal';

/** One side of a voucher; a debit is positive. `customerId` says whose account it is, for the account of customers alone. */
export interface BookLine {
  account: BookAccount;
  customerId: string | null;
  amountPaise: number;
}

/** A transfer of a bank, by the UTR of its statement; `on`: the day that the operator or, of a settlement, Razorpay says, which the statement may have a day later. */
export interface BankTransfer {
  utr: string;
  on: Day;
}

/** A voucher of the books. Its lines sum to zero. */
export interface BookVoucher {
  /** The event that it books: an event is booked once. */
  id: string;
  kind: BookVoucherKind;
  on: Day;
  /** The number of its document, or the id of the payment, refund, dispute or settlement: once among the vouchers of its kind. */
  number: string;
  customerId: string | null;
  /** The document that it books, if any. */
  documentId: string | null;
  /** What moved its line on the bank account, if that is known. */
  transfer?: BankTransfer | null;
  narration: string;
  lines: BookLine[];
}

/** Lines from amounts by account, without those of zero. The customer, if any, is debited with `customer.paise`. */
export function bookLines(
  amounts: Partial<Record<BookAccount, number>>,
  customer?: { id: string; paise: number },
): BookLine[] {
  const party = customer && { account: 'customers' as const, customerId: customer.id, amountPaise: customer.paise };
  const lines = bookAccountNames.map((account) => ({ account, customerId: null, amountPaise: amounts[account] ?? 0 }));
  return [...(party ? [party] : []), ...lines].filter(({ amountPaise }) => amountPaise !== 0);
}

/** The sum of a voucher's lines: 0, or the voucher is wrong. */
export function sumOfVoucher(voucher: BookVoucher): number {
  return voucher.lines.reduce((sum, line) => sum + line.amountPaise, 0);
}
