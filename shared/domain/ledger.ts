import { createHash } from 'node:crypto';

/**
 * The ledger of money: double entry in paise. Every entry says where an amount came from and where it went, so its
 * lines sum to zero, and has a hash over itself and the hash before it, so that changes, deletions and insertions are
 * detected. Amounts include GST; the tax is on the documents.
 */

/**
 * `provider`: money that the payment provider holds for us. `receivables`: what customers on credit terms owe (decision 081). `cycles`: payments for cycles. `refunds`: amounts to refund. `held`: bank transfers of
 * which an operator is asked whether they pay (decision 075).
 * `bank`: settled or transferred to our bank account, less refunds transferred from it. `fees`: the provider's fees, without GST. `input_tax`: the
 * GST on them, which is input tax credit (s. 16 CGST Act). `disputed`: held back by the provider for an open dispute. `losses`: taken by
 * a lost dispute, or refunded at the provider beside one or beside a transfer, beyond what the customer had paid and not been refunded.
 * `bad_debts`: what customers owe that was written off, until it is paid after all (decision 081).
 * `unmatched`: settled without a payment of the portal. `tds`: tax that customers deducted at source, receivable from the Government.
 */
export const accounts = [
  'provider',
  'receivables',
  'cycles',
  'refunds',
  'held',
  'tds',
  'bank',
  'fees',
  'input_tax',
  'disputed',
  'losses',
  'bad_debts',
  'unmatched',
] as const;
export type Account = (typeof accounts)[number];

export const entryKinds = [
  'BILLED',
  'CAPTURED_FOR_CYCLE',
  'CAPTURED_FOR_BILL',
  'CAPTURED_FOR_REFUND',
  'CAPTURED_HELD',
  'HELD_FOR_CYCLE',
  'HELD_FOR_BILL',
  'HELD_FOR_REFUND',
  'REFUND_DUE',
  'REFUND_PAID',
  'REFUND_WITHHELD',
  'REFUND_OFFSET',
  'WRITTEN_OFF',
  'REINSTATED',
  'SETTLED',
  'SETTLEMENT_FAILED',
  'DISPUTE_HELD',
  'DISPUTE_RELEASED',
  'DISPUTE_LOSS',
] as const;
export type EntryKind = (typeof entryKinds)[number];

/** One side of an entry; a debit is positive, a credit negative. */
export interface LedgerLine {
  account: Account;
  amountPaise: number;
}

/** The content of an entry. The id names the event, so an event is entered only once. */
export interface LedgerEntry {
  id: string;
  kind: EntryKind;
  /** Null, like cycle and customer, when a settlement contains money of no payment of ours. */
  paymentId: string | null;
  refundId: string | null;
  cycleId: string | null;
  customerId: string | null;
  currency: string;
  lines: LedgerLine[];
}

/** An entry at its position in the chain. `at` is epoch milliseconds. */
export interface ChainedEntry extends LedgerEntry {
  position: number;
  atMs: number;
}

/** What an entry is about. */
export interface About {
  paymentId: string;
  cycleId: string;
  customerId: string;
  currency: string;
}

const moved = (from: Account, to: Account, amountPaise: number): LedgerLine[] => [
  { account: from, amountPaise: -amountPaise },
  { account: to, amountPaise },
];

/** What captured money is for. A payment for several cycles has an entry for each, by its `place` in the order. */
export interface CapturedShare {
  use: 'CYCLE' | 'DUE' | 'REFUND' | 'HELD';
  /** The price of the cycle, or all of the payment. */
  paise: number;
  place?: number;
  /** So much of the price did not come: the customer deducted it as tax (TDS). */
  withheldPaise?: number;
}

const usedFor = { CYCLE: 'cycles', DUE: 'receivables', REFUND: 'refunds', HELD: 'held' } as const;
const captureKinds = {
  CYCLE: 'CAPTURED_FOR_CYCLE',
  DUE: 'CAPTURED_FOR_BILL',
  REFUND: 'CAPTURED_FOR_REFUND',
  HELD: 'CAPTURED_HELD',
} as const;

/** Money was captured: it pays for its cycle, is due for refund, or is held until an operator says which. `at`: with the provider, or on our bank account. */
export function entryOfCapture(about: About, share: CapturedShare, at: 'provider' | 'bank' = 'provider'): LedgerEntry {
  return { ...shareOf('capture', about, share, at), kind: captureKinds[share.use] };
}

const answerKinds = { CYCLE: 'HELD_FOR_CYCLE', DUE: 'HELD_FOR_BILL', REFUND: 'HELD_FOR_REFUND' } as const;

/** An operator has said what held money is for. */
export function entryOfAnswer(about: About, share: CapturedShare & { use: 'CYCLE' | 'DUE' | 'REFUND' }): LedgerEntry {
  return { ...shareOf('answer', about, share, 'held'), kind: answerKinds[share.use] };
}

/** A cycle is sold on credit terms: its price is receivable. `about.paymentId`: the promise. */
export function entryOfBill(about: About, paise: number): LedgerEntry {
  return { ...shareOf('capture', about, { use: 'CYCLE', paise }, 'receivables'), kind: 'BILLED' };
}

function shareOf(
  event: 'capture' | 'answer',
  about: About,
  { use, paise, place = 1, withheldPaise = 0 }: CapturedShare,
  account: Account,
): Omit<LedgerEntry, 'kind'> {
  const withheld = withheldPaise === 0 ? [] : [{ account: 'tds' as const, amountPaise: withheldPaise }];
  return {
    ...about,
    id: `${event}:${about.paymentId}${place === 1 ? '' : `:${place}`}`,
    refundId: null,
    lines: [
      { account: usedFor[use], amountPaise: -paise },
      { account, amountPaise: paise - withheldPaise },
      ...withheld,
    ],
  };
}

/**
 * Money of a cycle is due for refund. `from`: `cycles` when the price is returned; `tds` when the customer gets back what it deducted as tax
 * for us, which is then receivable; `receivables` when what had paid a bill went back at the provider, so that it is due again.
 */
export function entryOfRefundDue(
  about: About,
  refundId: string,
  amountPaise: number,
  from: 'cycles' | 'tds' | 'receivables' = 'cycles',
): LedgerEntry {
  return {
    ...about,
    id: `due:${refundId}`,
    kind: 'REFUND_DUE',
    refundId,
    lines: moved('refunds', from, amountPaise),
  };
}

/** Nobody expects any more that the bill is paid: for the `time`-th time, as it is due again when something happens to it. `about.paymentId`: the promise. */
export function entryOfWriteOff(about: About, paise: number, time: number): LedgerEntry {
  return billEntry(about, 'WRITTEN_OFF', 'write-off', time, moved('receivables', 'bad_debts', paise));
}

/** What was written off is due again, as something happens to the bill. */
export function entryOfReinstatement(about: About, paise: number, time: number): LedgerEntry {
  return billEntry(about, 'REINSTATED', 'reinstate', time, moved('bad_debts', 'receivables', paise));
}

function billEntry(about: About, kind: EntryKind, event: string, time: number, lines: LedgerLine[]): LedgerEntry {
  const id = `${event}:${about.paymentId}${time === 1 ? '' : `:${time}`}`;
  return { ...about, id, kind, refundId: null, lines };
}

const paidFrom = { PROVIDER: 'provider', TRANSFER: 'bank' } as const;

/** It was refunded: by the provider, or by a transfer from the bank account. */
export function entryOfRefundPaid(
  about: About,
  refundId: string,
  amountPaise: number,
  payout: keyof typeof paidFrom,
): LedgerEntry {
  return {
    ...about,
    id: `paid:${refundId}`,
    kind: 'REFUND_PAID',
    refundId,
    lines: moved(paidFrom[payout], 'refunds', amountPaise),
  };
}

/** So much less is due of the bill on credit terms: nobody pays that out. */
export function entryOfRefundOffset(about: About, refundId: string, amountPaise: number): LedgerEntry {
  return {
    ...about,
    id: `offset:${refundId}`,
    kind: 'REFUND_OFFSET',
    refundId,
    lines: moved('receivables', 'refunds', amountPaise),
  };
}

/** So much of it never came, as the customer had withheld it as tax (TDS): it is receivable no more, and nobody pays it out. */
export function entryOfRefundWithheld(about: About, refundId: string, amountPaise: number): LedgerEntry {
  return {
    ...about,
    id: `withheld:${refundId}`,
    kind: 'REFUND_WITHHELD',
    refundId,
    lines: moved('tds', 'refunds', amountPaise),
  };
}

/** The provider holds back the amount of an open dispute. */
export function entryOfDisputeHeld(about: About, disputeId: string, amountPaise: number): LedgerEntry {
  return disputeEntry(about, 'DISPUTE_HELD', `held:${disputeId}`, moved('provider', 'disputed', amountPaise));
}

/** The dispute has ended: the amount is available again, or taken as a refund. */
export function entryOfDisputeReleased(about: About, disputeId: string, amountPaise: number): LedgerEntry {
  return disputeEntry(about, 'DISPUTE_RELEASED', `released:${disputeId}`, moved('disputed', 'provider', amountPaise));
}

/** A lost dispute took more than was left to refund, or a refund at the provider more than a dispute or a transfer had left. `id`: of that one. */
export function entryOfDisputeLoss(about: About, id: string, amountPaise: number): LedgerEntry {
  return disputeEntry(about, 'DISPUTE_LOSS', `loss:${id}`, moved('provider', 'losses', amountPaise));
}

function disputeEntry(about: About, kind: EntryKind, id: string, lines: LedgerLine[]): LedgerEntry {
  return { ...about, id, kind, refundId: null, lines };
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
    entry.paymentId ?? '-',
    entry.refundId ?? '-',
    entry.cycleId ?? '-',
    entry.customerId ?? '-',
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
