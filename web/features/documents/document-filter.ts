import { type Document, documentKindSchema } from '#shared/contract/documents.ts';
import type { Day } from '#shared/domain/day.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';
import { monthOf } from '#shared/domain/month.ts';
import { registerSign } from '#shared/domain/document.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';

/** Which documents are shown. */
export interface DocumentFilter {
  kind: Document['kind'] | null;
  /** Such as 2026-27; null: all. */
  year: string | null;
  /** Such as 2026-11; null: all. */
  month: string | null;
  /** Part of a number, a plan's name or an activation's id. */
  words: string;
}

/** Parses the query of a URL. */
export function readDocumentFilter(search: URLSearchParams): DocumentFilter {
  const year = search.get('year') ?? '';
  const month = search.get('month') ?? '';
  return {
    kind: documentKindSchema.safeParse(search.get('kind')).data ?? null,
    year: /^\d{4}-\d{2}$/.test(year) ? year : null,
    month: /^\d{4}-\d{2}$/.test(month) ? month : null,
    words: search.get('q') ?? '',
  };
}

/** The documents that a filter leaves. */
export function filterDocuments(
  documents: readonly Document[],
  { kind, year, month, words }: DocumentFilter,
): Document[] {
  const wanted = words.trim().toLowerCase();
  return documents.filter(
    (document) =>
      (kind === null || document.kind === kind) &&
      (year === null || financialYearOf(document.date) === year) &&
      (month === null || monthOf(document.date) === month) &&
      [document.number, document.desc, document.activationId, document.refersTo ?? ''].some((text) =>
        text.toLowerCase().includes(wanted),
      ),
  );
}

/** The financial years of the documents, the newest first. */
export function yearsOf(documents: readonly Document[]): string[] {
  return [...new Set(documents.map(({ date }) => financialYearOf(date)))].toSorted().toReversed();
}

/** The months of the documents, of a financial year or of all, the newest first. */
export function monthsOf(documents: readonly Document[], year: string | null): string[] {
  const days = documents.map(({ date }) => date).filter((date) => year === null || financialYearOf(date) === year);
  return [...new Set(days.map(monthOf))].toSorted().toReversed();
}

/** The first and last day of a purchase register: the year's, or from the oldest document to today. */
export function registerDays(documents: readonly Document[], year: string | null, today: Day): { from: Day; to: Day } {
  if (year !== null) {
    const start = Number(year.slice(0, 4));
    return { from: `${start}-04-01`, to: `${start + 1}-03-31` };
  }
  return { from: documents.reduce((oldest, { date }) => (date < oldest ? date : oldest), today), to: today };
}

/** Sums in rupees. */
export interface DocumentSums {
  invoiced: number;
  credited: number;
  /** Of the invoices, less that of the credit notes. */
  gst: number;
}

/** Vouchers only accompany money on its way to an invoice or back, and are in no sum; nor is an invoice that was cancelled. */
export function documentSums(documents: readonly Document[]): DocumentSums {
  const counting = documents.filter(({ kind, cancelled }) => registerSign(kind, cancelled) !== 0);
  const ofKind = (kind: Document['kind']) => counting.filter((document) => document.kind === kind);
  const [invoices, notes] = [ofKind('INVOICE'), ofKind('CREDIT_NOTE')];
  return {
    invoiced: rupees(sumPaise(invoices, ({ total }) => total)),
    credited: rupees(sumPaise(notes, ({ total }) => total)),
    gst: rupees(sumPaise(invoices, gstOf) - sumPaise(notes, gstOf)),
  };
}

/** All taxes on a document, in rupees. */
export function gstOf({ cgst, sgst, utgst, igst }: Document): number {
  return rupees([cgst, sgst, utgst, igst].reduce((sum, tax) => sum + toPaise(tax), 0));
}

function sumPaise(documents: readonly Document[], amountOf: (document: Document) => number): number {
  return documents.reduce((sum, document) => sum + toPaise(amountOf(document)), 0);
}
