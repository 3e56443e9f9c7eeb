import { type BookLine, bookLines, type BookVoucher } from '#shared/domain/book-voucher.ts';
import type { Day } from '#shared/domain/day.ts';
import type { DocumentKind } from '#shared/domain/document.ts';
import { type Earning, type EarningChange, earningOf } from '#shared/domain/earning.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import {
  badDebtVoucher,
  type BookBadDebt,
  type BookCash,
  type BookDispute,
  type BookSettlement,
  type BookTds,
  cashVoucher,
  disputeVoucher,
  settlementVoucher,
  tdsVoucher,
} from '#shared/domain/money-vouchers.ts';
import { type TaxAmounts, usedOfAdvance } from '#shared/domain/tax-split.ts';

/** A document as the books need it; amounts are positive for every kind. */
export interface BookDocument extends TaxAmounts {
  id: string;
  kind: DocumentKind;
  number: string;
  issuedOn: Day;
  customerId: string;
  cycleId: string;
  refersToId: string | null;
  /** The days of the plan; `toDate` is the first day after it. */
  fromDate: Day;
  toDate: Day;
  /** Its registration on the invoice portal was cancelled: it counts as never issued. */
  cancelled: boolean;
  /** Cancelled in a later month: its payment was an advance at the end of its own (as in GSTR-1). */
  cancelledLater?: boolean;
}

/** Everything that the books follow from. Documents are in the order of their issue. */
export interface BookFacts {
  documents: readonly BookDocument[];
  cash: readonly BookCash[];
  /** The day on which a plan ended early, by cycle. */
  ends: ReadonlyMap<string, Day>;
  disputes: readonly BookDispute[];
  settlements: readonly BookSettlement[];
  tds: readonly BookTds[];
  badDebts: readonly BookBadDebt[];
}

/** How many documents are looked at before other work of the process may have its turn: the generators here yield then. */
const documentsAtOnce = 500;

/**
 * The vouchers of the books through a day, in order. They follow from documents, the ledger and settlements alone: there is no second book to
 * keep (product §6.12). Each voucher sums to zero. Those of an earlier day are among them, as they were.
 */
export function* voucherSteps(facts: BookFacts, through: Day): Generator<void, BookVoucher[]> {
  const documents = facts.documents.filter(({ issuedOn }) => issuedOn <= through);
  const byId = new Map(documents.map((document) => [document.id, document]));
  const followers = groupBy(documents, ({ refersToId }) => refersToId ?? '');
  const credits = new Map<string, Earning['credits']>();
  const earned = new Map<Day, number>();
  for (const [index, invoice] of documents.entries()) {
    if (index % documentsAtOnce === 0) yield;
    if (invoice.kind !== 'INVOICE' || invoice.cancelled) continue;
    const { days, credits: divided } = earningOf(invoice, changesOf(invoice, followers, facts.ends), through);
    for (const { on, paise } of days) earned.set(on, (earned.get(on) ?? 0) + paise);
    credits.set(invoice.id, divided);
  }
  const ofDocuments: BookVoucher[] = [];
  for (const [index, document] of documents.entries()) {
    if (index % documentsAtOnce === 0) yield;
    ofDocuments.push(...documentVouchers(document, { byId, followers, credits }));
  }
  const until = <Fact extends { on: Day }>(list: readonly Fact[]) => list.filter(({ on }) => on <= through);
  return [
    ...until(facts.cash).map(cashVoucher),
    ...ofDocuments,
    ...until(facts.disputes).map(disputeVoucher),
    ...until(facts.settlements).map(settlementVoucher),
    ...until(facts.tds).map(tdsVoucher),
    ...until(facts.badDebts).map(badDebtVoucher),
    ...earnedVouchers(earned),
  ].toSorted((a, b) => (a.on === b.on ? 0 : a.on < b.on ? -1 : 1));
}

/** Revenue of some days: what invoices earned, less what their credit notes took back. */
export interface Revenue {
  byDay: Map<Day, number>;
  byInvoice: Map<BookDocument, number>;
}

/** The revenue of some days, both included: the same amounts as in `voucherSteps`. */
export function* revenueSteps(
  { documents, ends }: Pick<BookFacts, 'documents' | 'ends'>,
  { from, to }: { from: Day; to: Day },
): Generator<void, Revenue> {
  const { byDay, byInvoice }: Revenue = { byDay: new Map(), byInvoice: new Map() };
  const followers = groupBy(documents, ({ refersToId }) => refersToId ?? '');
  for (const [index, invoice] of documents.entries()) {
    if (index % documentsAtOnce === 0) yield;
    if (invoice.kind !== 'INVOICE' || invoice.cancelled) continue;
    const changes = changesOf(invoice, followers, ends);
    const { days, credits } = earningOf(invoice, changes, to);
    const takenBack = (followers.get(invoice.id) ?? []).map(({ id, issuedOn: on }) => ({
      on,
      paise: -(credits.get(id)?.revenuePaise ?? 0),
    }));
    for (const { on, paise } of [...days, ...takenBack]) {
      if (on < from || on > to || paise === 0) continue;
      byDay.set(on, (byDay.get(on) ?? 0) + paise);
      byInvoice.set(invoice, (byInvoice.get(invoice) ?? 0) + paise);
    }
  }
  return { byDay, byInvoice };
}

type Followers = ReadonlyMap<string, readonly BookDocument[]>;

interface Known {
  byId: ReadonlyMap<string, BookDocument>;
  followers: Followers;
  credits: ReadonlyMap<string, Earning['credits']>;
}

function changesOf(invoice: BookDocument, followers: Followers, ends: BookFacts['ends']): EarningChange[] {
  const credits = (followers.get(invoice.id) ?? [])
    .filter(({ kind }) => kind === 'CREDIT_NOTE')
    .map(({ id, issuedOn: on, taxablePaise }) => ({ kind: 'credit' as const, id, on, taxablePaise }));
  const end = ends.get(invoice.cycleId);
  return end === undefined ? credits : [...credits, { kind: 'end', on: end }];
}

function documentVouchers(document: BookDocument, known: Known): BookVoucher[] {
  const { id, number, kind, issuedOn: on, customerId } = document;
  const about = { id: `document:${id}`, on, number, customerId, documentId: id };
  const owed = (paise: number) => ({ id: customerId, paise });
  const original = known.byId.get(document.refersToId ?? '');
  // The invoice that this one replaces used up nothing by then.
  const spender = original?.cancelledLater === true ? original : document;
  const advance = advanceOf(spender, known);
  const used = advance ? usedUp(spender, advance, known.followers) : document;
  const received = bookLines(
    { advances: -document.taxablePaise, ...taxLines(document, -1) },
    owed(document.totalPaise),
  );
  if (kind === 'RECEIPT_VOUCHER')
    return [{ ...about, kind: 'Journal', narration: `Advance by receipt voucher ${number}`, lines: received }];
  if (document.cancelledLater === true) {
    const narration = `Payment for invoice ${number}, an advance as its registration was cancelled`;
    return advance === document ? [{ ...about, kind: 'Journal', narration, lines: received }] : [];
  }
  const giveBack = bookLines({ advances: used.taxablePaise, ...taxLines(used, 1) }, owed(-used.totalPaise));
  if (kind === 'REFUND_VOUCHER') {
    return [{ ...about, kind: 'Journal', narration: `Advance returned by refund voucher ${number}`, lines: giveBack }];
  }
  if (kind === 'CREDIT_NOTE') {
    const credit = known.credits.get(document.refersToId ?? '')?.get(id);
    if (!credit) throw new Error(`credit note ${number} has no invoice`);
    const lines = bookLines(
      { 'deferred-revenue': credit.deferredPaise, revenue: credit.revenuePaise, ...taxLines(document, 1) },
      owed(-document.totalPaise),
    );
    return [{ ...about, kind: 'Credit Note', narration: `Credit note ${number} to ${original?.number ?? ''}`, lines }];
  }
  const narration = `Advance of ${advance?.number ?? ''} set off against invoice ${number}`;
  const setOff = { ...about, id: `advance:${id}`, kind: 'Journal' as const, narration, lines: giveBack };
  const lines = bookLines(
    { 'deferred-revenue': -document.taxablePaise, ...taxLines(document, -1) },
    owed(document.totalPaise),
  );
  const sale = { ...about, kind: 'Sales' as const, narration: `Invoice ${number}`, lines };
  // A cancelled invoice still used up its advance: its replacement refers to the invoice.
  return [...(advance ? [setOff] : []), ...(document.cancelled ? [] : [sale])];
}

/** The advance that an invoice or refund uses up: its receipt voucher, or the invoice itself if it was cancelled in a later month. */
function advanceOf(document: BookDocument, { byId }: Known): BookDocument | undefined {
  const original = byId.get(document.refersToId ?? '');
  if (original?.kind === 'RECEIPT_VOUCHER') return original;
  return document.cancelledLater === true ? document : undefined;
}

function taxLines({ igstPaise, cgstPaise, sgstPaise, utgstPaise, roundOffPaise }: TaxAmounts, sign: 1 | -1) {
  return {
    'output-igst': sign * igstPaise,
    'output-cgst': sign * cgstPaise,
    'output-sgst': sign * (sgstPaise + utgstPaise),
    'round-off': sign * roundOffPaise,
  } as const;
}

function usedUp(document: BookDocument, advance: BookDocument, followers: Followers): TaxAmounts {
  if (document === advance) return document;
  const all = followers.get(advance.id) ?? [];
  const own = all.findIndex(({ id }) => id === document.id);
  return usedOfAdvance(advance, all.slice(0, own), document);
}

/** One voucher a day for what all invoices earned. */
function earnedVouchers(days: ReadonlyMap<Day, number>): BookVoucher[] {
  return [...days].flatMap(([on, paise]) => {
    const lines: BookLine[] = bookLines({ 'deferred-revenue': paise, revenue: -paise });
    const narration = `Revenue earned on ${on}`;
    const voucher = {
      id: `earned:${on}`,
      on,
      number: `EARNED-${on}`,
      customerId: null,
      documentId: null,
      narration,
      lines,
    };
    return lines.length === 0 ? [] : [{ ...voucher, kind: 'Journal' as const }];
  });
}
