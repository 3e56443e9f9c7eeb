import type { Amounts } from '#tests/audit/sums/arithmetic.ts';
import type { PaperKind } from '#tests/audit/sums/papers.ts';
import type { ReturnSums } from '#tests/audit/sums/return.ts';

/** A document as a customer sees it, in paise. */
export interface SeenPaper extends Amounts {
  number?: string;
  kind: PaperKind;
  on: string;
  total: number;
  cancelled: boolean;
  /** A receipt voucher, or a refund voucher to it, whose advance an invoice has taken over. */
  isInvoiced: boolean;
}

/** What the portal tells the customer through its API. */
export interface PortalBook {
  papers: SeenPaper[];
  /** Statuses of cycles that cost money, oldest first. */
  cycles: string[];
  refunded: number;
  /** What the customer still has to pay of what is paid later. */
  due: number;
  /** Accepted claims about tax deducted at source. */
  tds: number;
}

/** Money by payment, in paise: by its id at Razorpay. */
export interface PaymentMoney {
  captured: number;
  refunded: number;
}

/** The double-entry ledger, read by the audit's own SQL. */
export interface LedgerBook {
  payments: Map<string, PaymentMoney>;
  /** Balances: kept for cycles, and due to be refunded. */
  kept: number;
  owed: number;
  /** Receivable from the Government. */
  tds: number;
  /** Receivable from customers who pay later. */
  receivable: number;
  badDebt: number;
  /** Entries whose lines do not add up to zero, and faults that `verify-ledger` reports. */
  faults: string[];
}

/** Razorpay's own book. Lost disputes count as refunds. */
export interface StandinBook {
  payments: Map<string, PaymentMoney>;
}

/** GSTR-1 of each month with documents, as the command writes it for upload. */
export interface ReturnBook {
  months: Map<string, ReturnSums>;
  faults: string[];
}

/** Razorpay's settlements, and what the ledger says of them. Amounts in paise. */
export interface SettlementBook {
  /** At Razorpay: paid to the bank account in all, and the fees on the settled payments. */
  settled: number;
  expectedFees: number;
  expectedFeeTax: number;
  /** False while refunds exceed payments, so that Razorpay settles nothing. */
  isAllSettled: boolean;
  /** How many differences the portal itself reports. */
  differences: number;
  /** In the ledger. */
  banked: number;
  fees: number;
  feeTax: number;
  /** Still with Razorpay. */
  held: number;
  /** Money without a payment, and losses. */
  unmatched: number;
}

/** The trial balance: a debit is positive, in paise. */
export interface AccountsBook {
  balances: Map<string, number>;
  /** Of the month packs, where a story has renewals: each debit in renewals.csv, and what the vouchers for Tally add up to by ledger. */
  renewals?: string[];
  tally?: Map<string, number>;
  faults: string[];
}

export interface Books {
  portal: PortalBook;
  ledger: LedgerBook;
  standin: StandinBook;
  returns: ReturnBook;
  settlements: SettlementBook;
  accounts: AccountsBook;
}

export const capturedIn = (payments: Map<string, PaymentMoney>): number =>
  [...payments.values()].reduce((sum, { captured }) => sum + captured, 0);
export const refundedIn = (payments: Map<string, PaymentMoney>): number =>
  [...payments.values()].reduce((sum, { refunded }) => sum + refunded, 0);
