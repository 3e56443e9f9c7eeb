import { type BankTransfer, bookLines, type BookVoucher } from '#shared/domain/book-voucher.ts';
import type { Day } from '#shared/domain/day.ts';
import type { Quarter, TdsSection } from '#shared/domain/tds.ts';

/** The vouchers of money that moves: payments, refunds, disputes, settlements, tax deducted at source. */

/** Money that came in at the payment provider or went back, from the ledger. */
export interface BookCash {
  /** Of its entry in the ledger: `capture:…` or `paid:…`; `answer:…` of what was held. */
  id: string;
  /** `held`: nobody knows yet whether it pays; `answered`: it is the customer's from then on, to pay or to be refunded. */
  kind: 'captured' | 'refunded' | 'held' | 'answered';
  on: Day;
  customerId: string;
  /** The provider's id of the payment. */
  paymentId: string;
  amountPaise: number;
  /** Of a refund from the bank account, or of a payment to it. */
  transfer: BankTransfer | null;
}

/** Money of a disputed payment, from the ledger: held back by the payment provider, available again, or lost beyond a refund. */
export interface BookDispute {
  /** Of its entry in the ledger: `held:…`, `released:…` or `loss:…`. */
  id: string;
  kind: 'held' | 'released' | 'lost';
  on: Day;
  customerId: string;
  paymentId: string;
  amountPaise: number;
}

/** A transfer of the payment provider to the bank: what it transferred, kept as its fee, and charged as GST on the fee. */
export interface BookSettlement {
  id: string;
  on: Day;
  bankPaise: number;
  feePaise: number;
  gst: { igstPaise: number; cgstPaise: number; sgstPaise: number };
  /** The part of all that which is about no payment of the portal: another shop on the same account, charges. */
  unmatchedPaise: number;
  transfer: BankTransfer | null;
}

/** Tax that a customer deducted from a payment (TDS) and that the provider of the API claims from the Government. */
export interface BookTds {
  id: string;
  on: Day;
  customerId: string;
  quarter: Quarter;
  section: TdsSection;
  /** Below nothing where it is receivable no more. */
  amountPaise: number;
}

/** A bill that was written off, or is due again (decision 081). */
export interface BookBadDebt {
  /** Of its entry in the ledger: `write-off:…` or `reinstate:…`. */
  id: string;
  on: Day;
  customerId: string;
  invoice: string;
  /** Below nothing where it is due again. */
  amountPaise: number;
}

/** What an entry of the ledger is about: it has one of each kind. */
const entryAbout = (id: string): string => id.slice(id.indexOf(':') + 1);
const bankText = (transfer: BankTransfer | null): string =>
  transfer === null ? '' : ` (UTR ${transfer.utr} of ${transfer.on})`;

export function cashVoucher(cash: BookCash): BookVoucher {
  const { id, kind, on, customerId, paymentId, amountPaise, transfer } = cash;
  if (kind === 'held' || kind === 'answered') return heldVoucher(cash);
  const sign = kind === 'captured' ? 1 : -1;
  const account = transfer === null ? 'gateway' : 'bank';
  const number = entryAbout(id);
  const refund = `Refund ${number} of payment ${paymentId}${transfer === null ? '' : ' by bank transfer'}`;
  return {
    id: `cash:${id}`,
    kind: kind === 'captured' ? 'Receipt' : 'Payment',
    on,
    number,
    customerId,
    documentId: null,
    transfer,
    narration: kind === 'captured' ? `Payment ${paymentId}${bankText(transfer)}` : `${refund}${bankText(transfer)}`,
    lines: bookLines({ [account]: sign * amountPaise }, { id: customerId, paise: -sign * amountPaise }),
  };
}

function heldVoucher({ id, kind, on, customerId, paymentId, amountPaise }: BookCash): BookVoucher {
  const number = entryAbout(id);
  const about = { id: `cash:${id}`, on, number, customerId, documentId: null };
  if (kind === 'held') {
    const lines = bookLines({ gateway: amountPaise, 'held-transfers': -amountPaise });
    return { ...about, kind: 'Receipt', transfer: null, narration: `Payment ${paymentId}, held`, lines };
  }
  const lines = bookLines({ 'held-transfers': amountPaise }, { id: customerId, paise: -amountPaise });
  return { ...about, kind: 'Journal', narration: `Payment ${paymentId}, held until now`, lines };
}

const disputeNarrations = {
  held: 'Held back for a dispute',
  released: 'Released after a dispute',
  lost: 'Lost in a dispute',
};

export function disputeVoucher({ id, kind, on, customerId, paymentId, amountPaise }: BookDispute): BookVoucher {
  const lines = {
    held: bookLines({ disputed: amountPaise, gateway: -amountPaise }),
    released: bookLines({ gateway: amountPaise, disputed: -amountPaise }),
    lost: bookLines({ 'dispute-losses': amountPaise, gateway: -amountPaise }),
  }[kind];
  const narration = `${disputeNarrations[kind]}: payment ${paymentId}`;
  const number = `${entryAbout(id)} ${kind}`;
  return { id: `cash:${id}`, kind: 'Journal', on, number, customerId, documentId: null, narration, lines };
}

export function settlementVoucher({
  id,
  on,
  bankPaise,
  feePaise,
  gst,
  unmatchedPaise,
  transfer,
}: BookSettlement): BookVoucher {
  const totalPaise = bankPaise + feePaise + gst.igstPaise + gst.cgstPaise + gst.sgstPaise;
  const lines = bookLines({
    bank: bankPaise,
    'gateway-fees': feePaise,
    'input-igst': gst.igstPaise,
    'input-cgst': gst.cgstPaise,
    'input-sgst': gst.sgstPaise,
    gateway: unmatchedPaise - totalPaise,
    unmatched: -unmatchedPaise,
  });
  const narration = `Settlement ${id} of the payment gateway${bankText(transfer)}`;
  return {
    id: `settlement:${id}`,
    kind: 'Receipt',
    on,
    number: id,
    customerId: null,
    documentId: null,
    transfer,
    narration,
    lines,
  };
}

export function tdsVoucher({ id, on, customerId, quarter, section, amountPaise }: BookTds): BookVoucher {
  const lines = bookLines({ 'tds-receivable': amountPaise }, { id: customerId, paise: -amountPaise });
  const what = amountPaise < 0 ? 'Reversed with a refund: tax' : 'Tax';
  const narration = `${what} deducted at source by the customer in ${quarter}, s. ${section}`;
  return { id: `tds:${id}`, kind: 'Journal', on, number: id, customerId, documentId: null, narration, lines };
}

export function badDebtVoucher({ id, on, customerId, invoice, amountPaise }: BookBadDebt): BookVoucher {
  const lines = bookLines({ 'bad-debts': amountPaise }, { id: customerId, paise: -amountPaise });
  const narration =
    amountPaise > 0 ? `Invoice ${invoice} written off as a bad debt` : `Bad debt of invoice ${invoice} due again`;
  const number = `${entryAbout(id)} ${amountPaise > 0 ? 'written off' : 'due again'}`;
  return { id: `bad-debt:${id}`, kind: 'Journal', on, number, customerId, documentId: null, narration, lines };
}
