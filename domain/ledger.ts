import { createHash } from 'node:crypto';

/**
 * The ledger of money: double entry in paise. Every entry says where an amount came from and where it went, so its
 * lines sum to zero, and has a hash over itself and the hash before it, so that changes, deletions and insertions are
 * detected. Amounts include GST; the tax is on the documents.
 */

/**
 * `provider`: money that the payment provider holds for us. `cycles`: payments for cycles. `refunds`: amounts to
 * refund.
 */
export type Account = 'provider' | 'cycles' | 'refunds';

export type EntryKind = 'CAPTURED_FOR_CYCLE' | 'CAPTURED_FOR_REFUND' | 'REFUND_DUE' | 'REFUND_PAID';

/** One side of an entry; a debit is positive, a credit negative. */
export interface LedgerLine {
  account: Account;
  amountPaise: number;
}

/** The content of an entry. The id names the event, so an event is entered only once. */
export interface LedgerEntry {
  id: string;
  kind: EntryKind;
  paymentId: string;
  refundId: string | null;
  cycleId: string;
  customerId: string;
  currency: string;
  lines: LedgerLine[];
}

/** An entry at its position in the chain. `at` is epoch milliseconds. */
export interface ChainedEntry extends LedgerEntry {
  position: number;
  atMs: number;
}

type About = Pick<LedgerEntry, 'paymentId' | 'cycleId' | 'customerId' | 'currency'>;

const moved = (from: Account, to: Account, amountPaise: number): LedgerLine[] => [
  { account: from, amountPaise: -amountPaise },
  { account: to, amountPaise },
];

/** Money was captured: it pays for its cycle or is due for refund. */
export function entryOfCapture(about: About, use: 'CYCLE' | 'REFUND', amountPaise: number): LedgerEntry {
  return {
    ...about,
    id: `capture:${about.paymentId}`,
    kind: use === 'CYCLE' ? 'CAPTURED_FOR_CYCLE' : 'CAPTURED_FOR_REFUND',
    refundId: null,
    lines: moved(use === 'CYCLE' ? 'cycles' : 'refunds', 'provider', amountPaise),
  };
}

/** A paid cycle ends, and some or all of its money is due for refund. */
export function entryOfRefundDue(about: About, refundId: string, amountPaise: number): LedgerEntry {
  return {
    ...about,
    id: `due:${refundId}`,
    kind: 'REFUND_DUE',
    refundId,
    lines: moved('refunds', 'cycles', amountPaise),
  };
}

/** The provider has refunded it. */
export function entryOfRefundPaid(about: About, refundId: string, amountPaise: number): LedgerEntry {
  return {
    ...about,
    id: `paid:${refundId}`,
    kind: 'REFUND_PAID',
    refundId,
    lines: moved('provider', 'refunds', amountPaise),
  };
}

/** The hash before the first entry. */
export const genesisHash = Buffer.alloc(32);

/**
 * The text that is hashed. PostgreSQL's trigger ledger_chain writes the same text; a test compares the two. Lines are
 * in the order of their accounts.
 */
export function textOfEntry(entry: ChainedEntry): string {
  const lines = entry.lines
    .toSorted((a, b) => (a.account < b.account ? -1 : 1))
    .map((line) => `${line.account}=${line.amountPaise}`);
  return [
    entry.position,
    entry.id,
    entry.kind,
    entry.paymentId,
    entry.refundId ?? '-',
    entry.cycleId,
    entry.customerId,
    entry.currency,
    entry.atMs,
    ...lines,
  ].join('|');
}

/** SHA-256 over the hash before and the entry's text. */
export function hashOfEntry(previousHash: Buffer, entry: ChainedEntry): Buffer {
  return createHash('sha256').update(previousHash).update(textOfEntry(entry)).digest();
}

/** The sum of the lines of an entry: 0, or the entry is wrong. */
export function sumOfLines(lines: readonly LedgerLine[]): number {
  return lines.reduce((sum, line) => sum + line.amountPaise, 0);
}
