import type { Profile } from '#shared/contract/account.ts';
import type { Day } from './arithmetic.ts';
import type { Paper, Supply } from './papers.ts';

/** A customer, and how sales to them are taxed. */
export interface Buyer {
  profile: Partial<Profile>;
  supply: Supply;
}

/** What must be in the books in the end. Amounts in rupees. */
export interface Expected {
  /** All money that customers paid. */
  captured: number;
  /** The part of it that came to the provider's own bank account, of which Razorpay knows nothing. */
  ownBank?: number;
  /** All money that went back to them: refunds and lost disputes. */
  refunded?: number;
  /** The part of `refunded` and `owed` that customers had deducted as tax: receivable from the Government, and no return of the price. */
  tds?: number;
  /** Such tax that was never paid: the bank transfer was less by it. */
  withheld?: number;
  /** What of that went with a refund, so that it is receivable no more. */
  reversed?: number;
  /** What customers who pay later still owe. */
  receivable?: number;
  /** What they owe, and was written off. */
  badDebt?: number;
  /** What of it was refunded before it was paid: it lowered what is due, and no money moved. */
  offset?: number;
  /** The part of `refunded` that an operator transferred, of which Razorpay knows nothing. */
  byTransfer?: number;
  papers: Paper[];
  /** The numbers of all documents, where they matter. */
  numbers?: string[];
  /** The statuses of the cycles that cost money, in any order. */
  cycles: string[];
  /** Refunds that are still on their way: due in the ledger, not yet paid by Razorpay. */
  owed?: number;
  /** The part of `owed` that the operator transfers, and that Razorpay doesn't hold. */
  toTransfer?: number;
  /**
   * Payments that Razorpay has not settled in its usual time, because refunds and disputes exceed the balance: the portal must
   * report them.
   */
  unsettled?: number;
  /** The debits by mandate in renewals.csv: `2027-01-09 1499 1 PAID`, and what went back. With them the vouchers for Tally are compared. */
  renewals?: string[];
  /** What a bank has withdrawn for disputes that are not decided. */
  disputed?: number;
}

/** A step of a scenario on some stage. */
export interface Step<Stage> {
  name: string;
  act: (stage: Stage) => Promise<void>;
}

/** A story, and the books that it must end with. */
export interface Scenario<Stage> {
  /** For `--only`. */
  name: string;
  group: string;
  /** One sentence: what happens. */
  title: string;
  /** The first day; noon in India. */
  from: Day;
  buyer: Buyer;
  /** Settings of the portal, by their names in the environment. */
  settings?: Record<string, string>;
  /** Replacements in the catalogue file of the invoicing system. */
  catalog?: readonly (readonly [from: string, to: string])[];
  /** Stops the database server, so it needs one of its own. */
  ownServer?: true;
  steps: readonly Step<Stage>[];
  expected: Expected;
}
