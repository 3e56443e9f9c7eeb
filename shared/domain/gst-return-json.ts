import type { Day } from '#shared/domain/day.ts';
import type { DocumentKind, IssuedDocument } from '#shared/domain/document.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import type {
  CodeRow,
  DocumentRow,
  ExemptRow,
  GstReturn,
  PlaceRow,
  ReturnAmounts,
  SeriesRow,
} from '#shared/domain/gst-return.ts';
import { nameOfService } from '#shared/domain/service-codes.ts';

/**
 * The files of GSTR-1, by name. What is uploaded over a document that the GST portal has filled in from the invoice portal deletes its source and IRN
 * (GSTN advisory 528 of 3 March 2022, paragraph 6), so the file for upload doesn't have those. The other one has all: only that adds up.
 */
export function gstr1JsonFiles(gstin: string, month: string, gstReturn: GstReturn) {
  const upload = withoutFilledIn(gstReturn);
  return {
    upload: { name: 'gstr1.json', content: gstr1Json(gstin, month, upload) },
    all: { name: 'gstr1-all.json', content: gstr1Json(gstin, month, gstReturn) },
    filledIn: countOfDocuments(gstReturn) - countOfDocuments(upload),
  };
}

const rest = (rows: DocumentRow[]) => rows.filter(({ document }) => document.filledIn !== true);

/** The tables that the GST portal fills in: 4A, 6 and 9B. */
function withoutFilledIn(gstReturn: GstReturn): GstReturn {
  const { b2b, exp, cdnr, cdnur } = gstReturn;
  return { ...gstReturn, b2b: rest(b2b), exp: rest(exp), cdnr: rest(cdnr), cdnur: rest(cdnur) };
}

const countOfDocuments = ({ b2b, exp, cdnr, cdnur }: GstReturn): number =>
  b2b.length + exp.length + cdnr.length + cdnur.length;

/**
 * GSTR-1 as the file that the GST portal accepts for upload (Returns → GSTR-1 → Prepare offline), in the format of its
 * offline tool. Amounts are rupees, rates percent, dates `21-11-2026`. `month`: `2026-11`.
 */
export function gstr1Json(gstin: string, month: string, gstReturn: GstReturn): object {
  const { b2b, b2ba, b2cl, b2cs, exp, cdnr, cdnra, cdnur, nil, at, atadj, hsn, docs } = gstReturn;
  const [year, number] = month.split('-');
  const tables = {
    b2b: byParty(b2b, gstinOf).map(([ctin, rows]) => ({ ctin, inv: rows.map(invoiceOf) })),
    b2ba: byParty(b2ba, gstinOf).map(([ctin, rows]) => ({
      ctin,
      inv: rows.map((row) => ({ oinum: row.document.number, oidt: dateOf(row.document.issuedOn), ...invoiceOf(row) })),
    })),
    b2cl: byParty(b2cl, ({ content }) => content.placeOfSupply).map(([pos, rows]) => ({
      pos,
      inv: rows.map((row) => ({ ...headOf(row), itms: itemsOf(row) })),
    })),
    b2cs: b2cs.map((row) => ({
      sply_ty: supplyOf(row),
      rt: rateOf(row),
      typ: 'OE',
      pos: row.placeOfSupply,
      ...taxed(row),
    })),
    exp: byParty(exp, ({ content }) => (content.supplyType === 'EXPWP' ? 'WPAY' : 'WOPAY')).map(([type, rows]) => ({
      exp_typ: type,
      inv: rows.map((row) => ({
        ...headOf(row),
        itms: [{ txval: rupees(row.taxablePaise), rt: rateIn(row.document), iamt: rupees(row.igstPaise), csamt: 0 }],
      })),
    })),
    cdnr: byParty(cdnr, gstinOf).map(([ctin, rows]) => ({ ctin, nt: rows.map(noteOf) })),
    cdnra: byParty(cdnra, gstinOf).map(([ctin, rows]) => ({
      ctin,
      nt: rows.map((row) => ({ ont_num: row.document.number, ont_dt: dateOf(row.document.issuedOn), ...noteOf(row) })),
    })),
    cdnur: cdnur.map((row) => ({
      typ: row.document.content.supplyType === 'B2C' ? 'B2CL' : row.document.content.supplyType,
      ...noteHeadOf(row),
      // An export has no place in India.
      ...(row.document.content.supplyType === 'B2C' ? { pos: row.document.content.placeOfSupply } : {}),
      itms: itemsOf(row),
    })),
    nil: nil.length === 0 ? [] : { inv: nil.map(exemptOf) },
    at: advances(at),
    txpd: advances(atadj),
    hsn: hsn.length === 0 ? [] : { hsn_b2b: codes(hsn, 'B2B'), hsn_b2c: codes(hsn, 'B2C') },
    doc_issue: docs.length === 0 ? [] : { doc_det: seriesByNature(docs) },
  };
  const filled = Object.entries(tables).filter(([, table]) => !Array.isArray(table) || table.length > 0);
  return { gstin, fp: `${number}${year}`, ...Object.fromEntries(filled) };
}

const rupees = (paise: number): number => paise / 100;
const dateOf = (day: Day): string => day.split('-').toReversed().join('-');
const gstinOf = ({ content }: IssuedDocument): string => content.recipient.gstin ?? '';
const rateIn = ({ content }: IssuedDocument): number => (content.tax === 'NONE' ? 0 : content.gstRateBasisPoints / 100);
const rateOf = (row: PlaceRow | CodeRow): number => row.gstRateBasisPoints / 100;
const supplyOf = ({ interState }: PlaceRow): string => (interState ? 'INTER' : 'INTRA');

/** Rows by party or place, in order of first appearance. */
function byParty(
  rows: readonly DocumentRow[],
  partyOf: (document: IssuedDocument) => string,
): [string, DocumentRow[]][] {
  return [...groupBy(rows, ({ document }) => partyOf(document))];
}

/** Integrated tax, or central and State tax; the return has no field for both. */
function taxesOf(row: ReturnAmounts): object {
  if (row.cgstPaise !== 0 || row.sgstPaise !== 0)
    return { camt: rupees(row.cgstPaise), samt: rupees(row.sgstPaise), csamt: 0 };
  return { iamt: rupees(row.igstPaise), csamt: 0 };
}

const taxed = (row: ReturnAmounts): object => ({ txval: rupees(row.taxablePaise), ...taxesOf(row) });

/** Each document has one item; the tool numbers it by its rate. */
function itemsOf(row: DocumentRow): object[] {
  const rate = rateIn(row.document);
  return [{ num: Math.round(rate * 100) + 1, itm_det: { rt: rate, ...taxed(row) } }];
}

function headOf({ document, totalPaise }: DocumentRow): object {
  return { inum: document.number, idt: dateOf(document.issuedOn), val: rupees(totalPaise) };
}

const invoiceTypes: Record<string, string> = { SEZWP: 'SEWP', SEZWOP: 'SEWOP' };
const partyFieldsOf = ({ content }: IssuedDocument): object => ({
  pos: content.placeOfSupply,
  rchrg: 'N',
  inv_typ: invoiceTypes[content.supplyType] ?? 'R',
});

function invoiceOf(row: DocumentRow): object {
  return { ...headOf(row), ...partyFieldsOf(row.document), itms: itemsOf(row) };
}

function noteHeadOf({ document, totalPaise }: DocumentRow): object {
  return { ntty: 'C', nt_num: document.number, nt_dt: dateOf(document.issuedOn), val: rupees(totalPaise) };
}

function noteOf(row: DocumentRow): object {
  return { ...noteHeadOf(row), ...partyFieldsOf(row.document), itms: itemsOf(row) };
}

/** Nil-rated and exempt supplies are one figure in GSTR-3B, so that the product doesn't tell them apart: all of it is in the first column. */
function exemptOf({ interState, registered, taxablePaise }: ExemptRow): object {
  const sply_ty = `${interState ? 'INTR' : 'INTRA'}${registered ? 'B2B' : 'B2C'}`;
  return { sply_ty, nil_amt: rupees(taxablePaise), expt_amt: 0, ngsup_amt: 0 };
}

function advances(rows: readonly PlaceRow[]): object[] {
  const places = groupBy(rows, (row) => `${row.placeOfSupply} ${supplyOf(row)}`);
  return [...places.values()].map((of) => ({
    pos: of[0]?.placeOfSupply,
    sply_ty: of[0] && supplyOf(of[0]),
    itms: of.map((row) => ({ rt: rateOf(row), ad_amt: rupees(row.taxablePaise), ...taxesOf(row) })),
  }));
}

function codes(hsn: readonly CodeRow[], buyers: CodeRow['buyers']): object[] {
  return hsn
    .filter((row) => row.buyers === buyers)
    .map((row, index) => ({
      num: index + 1,
      hsn_sc: row.sac,
      desc: nameOfService(row.sac),
      // Services have no unit.
      uqc: 'NA',
      qty: 0,
      rt: rateOf(row),
      txval: rupees(row.taxablePaise),
      iamt: rupees(row.igstPaise),
      camt: rupees(row.cgstPaise),
      samt: rupees(row.sgstPaise),
      csamt: 0,
    }));
}

/** Table 13's own numbers for the natures of documents. */
const natures: Record<DocumentKind, number> = { INVOICE: 1, CREDIT_NOTE: 5, RECEIPT_VOUCHER: 6, REFUND_VOUCHER: 8 };

function seriesByNature(docs: readonly SeriesRow[]): object[] {
  return [...new Set(docs.map(({ kind }) => kind))]
    .toSorted((a, b) => natures[a] - natures[b])
    .map((kind) => ({
      doc_num: natures[kind],
      docs: docs
        .filter((row) => row.kind === kind)
        .map(({ from, to, count, cancelled }, index) => ({
          num: index + 1,
          from,
          to,
          totnum: count,
          cancel: cancelled,
          net_issue: count - cancelled,
        })),
    }));
}
