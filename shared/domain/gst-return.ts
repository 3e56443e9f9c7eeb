import { isInReturn } from '#shared/domain/amendment.ts';
import { type DocumentKind, isNilSupply, type IssuedDocument } from '#shared/domain/document.ts';
import { sequenceOf, stemOf } from '#shared/domain/document-series.ts';
import { monthOf } from '#shared/domain/month.ts';
import { advanceUsedBy, isAdvance, type Signed, unsettled } from '#shared/domain/return-advances.ts';
import type { ReturnDocument } from '#shared/domain/return-document.ts';

/** A document of an earlier month whose details were amended in this one; `content` is as amended. */
export interface AmendedDocument extends ReturnDocument {
  original: IssuedDocument['content'];
}

/** Integer paise. Union territory tax is included in State tax, as in the return. */
export interface ReturnAmounts {
  taxablePaise: number;
  cgstPaise: number;
  sgstPaise: number;
  igstPaise: number;
  /** The total of the documents, round-off included. */
  totalPaise: number;
}

/** Documents reported individually. */
export interface DocumentRow extends ReturnAmounts {
  document: ReturnDocument;
}

/** Supplies, or advances, summed by place of supply and rate. */
export interface PlaceRow extends ReturnAmounts {
  placeOfSupply: string;
  placeOfSupplyName: string;
  interState: boolean;
  gstRateBasisPoints: number;
}

/** Nil-rated and exempt supplies (table 8). */
export interface ExemptRow extends ReturnAmounts {
  interState: boolean;
  registered: boolean;
}

/** Supplies by service code. `buyers`: table 12 has one part for registered buyers and SEZs, and one for all others, exports included. */
export interface CodeRow extends ReturnAmounts {
  sac: string;
  gstRateBasisPoints: number;
  buyers: 'B2B' | 'B2C';
}

/**
 * Documents with consecutive numbers of one series: first and last number, how many, how many of them cancelled (table 13). A kind has several, and so has
 * a series where another GSTIN of the supplier has the numbers in between.
 */
export interface SeriesRow {
  kind: DocumentKind;
  from: string;
  to: string;
  count: number;
  cancelled: number;
}

/** GSTR-1 of a month. Notes are positive amounts that reduce the liability. */
export interface GstReturn {
  /** Invoices to registered buyers and to SEZs. */
  b2b: DocumentRow[];
  /** Inter-State invoices to consumers above the limit. */
  b2cl: DocumentRow[];
  /** All other supplies to consumers, less credit notes. */
  b2cs: PlaceRow[];
  /** Exports. */
  exp: DocumentRow[];
  /** Credit notes to registered buyers. */
  cdnr: DocumentRow[];
  /** Credit notes to exports and to large inter-State invoices to consumers. */
  cdnur: DocumentRow[];
  /** Invoices of earlier months to registered buyers with another GSTIN or place of supply (9A); amounts stay, so no total changes. */
  b2ba: DocumentRow[];
  /** Credit notes of earlier months to registered buyers, likewise (9C). */
  cdnra: DocumentRow[];
  /** Nil-rated and exempt supplies, less credit notes (8). Exports and supplies to SEZs are zero-rated, and stay in 6 (IGST Act s.16). */
  nil: ExemptRow[];
  /** Advances received with tax and not invoiced in this month (11A). */
  at: PlaceRow[];
  /** Advances of earlier months that were invoiced or refunded this month (11B). */
  atadj: PlaceRow[];
  hsn: CodeRow[];
  docs: SeriesRow[];
}

/**
 * An inter-State sale to a consumer is reported individually above ₹1,00,000 (Notification 12/2024-Central Tax, from 1
 * August 2024).
 */
const largeInvoicePaise = 10_000_000;

/**
 * GSTR-1 of the documents of one month, in the order of their numbers, and of the documents of earlier months that were amended in it. Throws
 * RangeError when they are of other months.
 */
export function gstReturnOf(
  month: string,
  documents: readonly ReturnDocument[],
  amended: readonly AmendedDocument[] = [],
): GstReturn {
  const stray = documents.find((document) => monthOf(document.issuedOn) !== month);
  if (stray) throw new RangeError(`${stray.number} of ${stray.issuedOn} does not belong to ${month}`);
  const early = amended.find((document) => monthOf(document.issuedOn) >= month);
  if (early) throw new RangeError(`${early.number} of ${early.issuedOn} is not of a month before ${month}`);
  const changed = amended.filter(
    (document) => !document.cancelled && isRegistered(document) && isInReturn(document.original, document.content),
  );
  const valid = documents.filter((document) => !document.cancelled);
  const invoices = valid.filter((document) => document.kind === 'INVOICE');
  const notes = valid.filter((document) => document.kind === 'CREDIT_NOTE' && document.content.withoutTax !== true);
  const uses = documents.flatMap(advanceUsedBy);
  return {
    b2b: rows(invoices.filter(isRegistered)),
    b2cl: rows(invoices.filter((document) => isConsumer(document) && isLarge(document))),
    b2cs: byPlace([
      ...invoices.filter(isSmall).map((document) => ({ document, sign: 1 })),
      ...notes.filter(isSmall).map((document) => ({ document, sign: -1 })),
    ]),
    exp: rows(invoices.filter(isExport)),
    cdnr: rows(notes.filter(isRegistered)),
    cdnur: rows(notes.filter((note) => isExport(note) || (isConsumer(note) && isLarge(note)))),
    nil: byBuyer([
      ...invoices.filter(isNil).map((document) => ({ document, sign: 1 })),
      ...notes.filter(isNil).map((document) => ({ document, sign: -1 })),
    ]),
    b2ba: rows(changed.filter(({ kind }) => kind === 'INVOICE')),
    cdnra: rows(changed.filter(({ kind }) => kind === 'CREDIT_NOTE')),
    at: byPlace(
      documents
        .filter(isAdvance)
        .flatMap((advance) => unsettled(advance, uses))
        .filter(bearsTax),
    ),
    atadj: byPlace(
      uses
        .filter(({ advance }) => monthOf(advance.issuedOn) !== month)
        .map(({ used }) => ({ document: used, sign: 1 }))
        .filter(bearsTax),
    ),
    hsn: byCode([
      ...invoices.map((document) => ({ document, sign: 1 })),
      ...notes.map((document) => ({ document, sign: -1 })),
    ]),
    docs: seriesOf(documents),
  };
}

/** Table 11 is of tax on advances: one for an export under a letter of undertaking or for an exempt supply bears none. */
const bearsTax = ({ document }: Signed): boolean => rateOf(document) !== 0;

/** The total liability of a month's return: supplies less notes, plus advances, less used advances. */
export function netOf(gstReturn: GstReturn): ReturnAmounts {
  const { b2b, b2cl, b2cs, exp, cdnr, cdnur, nil, at, atadj } = gstReturn;
  const plus = [...b2b, ...b2cl, ...b2cs, ...exp, ...nil, ...at];
  return [
    ...plus.map((amounts) => ({ amounts, sign: 1 })),
    ...[...cdnr, ...cdnur, ...atadj].map((amounts) => ({ amounts, sign: -1 })),
  ].reduce((sum, { amounts, sign }) => add(sum, amounts, sign), nothing);
}

const isToRegistered = ({ content }: IssuedDocument) => ['B2B', 'SEZWP', 'SEZWOP'].includes(content.supplyType);
const isNil = ({ content }: IssuedDocument) => isNilSupply(content);
const isRegistered = (document: IssuedDocument) => isToRegistered(document) && !isNil(document);
const isExport = ({ content }: IssuedDocument) => ['EXPWP', 'EXPWOP'].includes(content.supplyType);
const isConsumer = (document: IssuedDocument) => document.content.supplyType === 'B2C' && !isNil(document);
const isSmall = (document: ReturnDocument) => isConsumer(document) && !isLarge(document);

/** A note belongs in its invoice's table. */
function isLarge(document: ReturnDocument): boolean {
  const invoice = document.kind === 'CREDIT_NOTE' ? (document.follows ?? document) : document;
  return invoice.content.interState && invoice.content.split.totalPaise > largeInvoicePaise;
}

const nothing: ReturnAmounts = { taxablePaise: 0, cgstPaise: 0, sgstPaise: 0, igstPaise: 0, totalPaise: 0 };

function amountsOf({ content: { split } }: IssuedDocument): ReturnAmounts {
  const { taxablePaise, cgstPaise, sgstPaise, utgstPaise, igstPaise, totalPaise } = split;
  return { taxablePaise, cgstPaise, sgstPaise: sgstPaise + utgstPaise, igstPaise, totalPaise };
}

function add(a: ReturnAmounts, b: ReturnAmounts, sign: number): ReturnAmounts {
  return {
    taxablePaise: a.taxablePaise + sign * b.taxablePaise,
    cgstPaise: a.cgstPaise + sign * b.cgstPaise,
    sgstPaise: a.sgstPaise + sign * b.sgstPaise,
    igstPaise: a.igstPaise + sign * b.igstPaise,
    totalPaise: a.totalPaise + sign * b.totalPaise,
  };
}

function rows(documents: readonly ReturnDocument[]): DocumentRow[] {
  return documents.map((document) => ({ document, ...amountsOf(document) }));
}

const rateOf = ({ content }: IssuedDocument): number => (content.tax === 'NONE' ? 0 : content.gstRateBasisPoints);

function byPlace(documents: readonly Signed[]): PlaceRow[] {
  return grouped(documents, (document) => {
    const { placeOfSupply, placeOfSupplyName, interState } = document.content;
    return { placeOfSupply, placeOfSupplyName, interState, gstRateBasisPoints: rateOf(document) };
  });
}

function byCode(documents: readonly Signed[]): CodeRow[] {
  return grouped(documents, (document) => ({
    sac: document.content.item.sac,
    gstRateBasisPoints: rateOf(document),
    buyers: isToRegistered(document) ? ('B2B' as const) : ('B2C' as const),
  }));
}

function byBuyer(documents: readonly Signed[]): ExemptRow[] {
  return grouped(documents, (document) => ({
    interState: document.content.interState,
    registered: isToRegistered(document),
  }));
}

function grouped<Key extends object>(
  documents: readonly Signed[],
  keyOf: (document: IssuedDocument) => Key,
): (Key & ReturnAmounts)[] {
  const groups = new Map<string, Key & ReturnAmounts>();
  for (const { document, sign } of documents) {
    const key = keyOf(document);
    const name = JSON.stringify(key);
    groups.set(name, { ...key, ...add(groups.get(name) ?? nothing, amountsOf(document), sign) });
  }
  return [...groups.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function seriesOf(documents: readonly ReturnDocument[]): SeriesRow[] {
  const rows: SeriesRow[] = [];
  for (const { kind, number, cancelled } of documents) {
    const open = rows.findLast((row) => stemOf(row.to) === stemOf(number));
    if (open && sequenceOf(number) === sequenceOf(open.to) + 1) {
      Object.assign(open, { to: number, count: open.count + 1, cancelled: open.cancelled + (cancelled ? 1 : 0) });
    } else rows.push({ kind, from: number, to: number, count: 1, cancelled: cancelled ? 1 : 0 });
  }
  return rows;
}
