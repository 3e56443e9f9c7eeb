import { type CsvCell, csvOf } from '#shared/domain/csv.ts';
import type { DocumentRow, ExemptRow, GstReturn, PlaceRow, ReturnAmounts } from '#shared/domain/gst-return.ts';
import { nameOfService } from '#shared/domain/service-codes.ts';

/**
 * The tables of GSTR-1 as CSV files, by name, with the columns of the GST portal's offline tool, followed by the amount of each
 * tax for comparison with the books.
 */
export function gstr1Files(gstReturn: GstReturn): Map<string, string> {
  const { b2b, b2ba, b2cl, b2cs, exp, cdnr, cdnra, cdnur, nil, at, atadj, hsn, docs } = gstReturn;
  return new Map([
    ['b2b', csvOf([...b2bColumns, ...taxColumns], b2b.map(b2bRow))],
    ['b2ba', csvOf([...b2baColumns, ...taxColumns], b2ba.map(b2baRow))],
    ['b2cl', csvOf([...b2clColumns, ...taxColumns], b2cl.map(b2clRow))],
    ['b2cs', csvOf([...b2csColumns, ...taxColumns], b2cs.map(b2csRow))],
    ['exp', csvOf([...expColumns, ...taxColumns], exp.map(expRow))],
    ['cdnr', csvOf([...cdnrColumns, ...taxColumns], cdnr.map(cdnrRow))],
    ['cdnra', csvOf([...cdnraColumns, ...taxColumns], cdnra.map(cdnraRow))],
    ['cdnur', csvOf([...cdnurColumns, ...taxColumns], cdnur.map(cdnurRow))],
    ['exemp', csvOf(exemptColumns, nil.map(exemptRow))],
    ['at', csvOf([...advanceColumns('Received'), ...taxColumns], at.map(advanceRow))],
    ['atadj', csvOf([...advanceColumns('Adjusted'), ...taxColumns], atadj.map(advanceRow))],
    ['hsn-b2b', csvOf(hsnColumns, hsn.filter(({ buyers }) => buyers === 'B2B').map(hsnRow))],
    ['hsn-b2c', csvOf(hsnColumns, hsn.filter(({ buyers }) => buyers === 'B2C').map(hsnRow))],
    ['docs', csvOf(docsColumns, docs.map(docsRow))],
  ]);
}

const taxColumns = ['Integrated Tax', 'Central Tax', 'State/UT Tax'];
const b2bColumns = [
  'GSTIN/UIN of Recipient',
  'Receiver Name',
  'Invoice Number',
  'Invoice date',
  'Invoice Value',
  'Place Of Supply',
  'Reverse Charge',
  'Applicable % of Tax Rate',
  'Invoice Type',
  'E-Commerce GSTIN',
  'Rate',
  'Taxable Value',
  'Cess Amount',
];
const b2baColumns = [
  'GSTIN/UIN of Recipient',
  'Receiver Name',
  'Original Invoice Number',
  'Original Invoice date',
  'Revised Invoice Number',
  'Revised Invoice date',
  ...b2bColumns.slice(4),
];
const b2clColumns = [
  'Invoice Number',
  'Invoice date',
  'Invoice Value',
  'Place Of Supply',
  'Applicable % of Tax Rate',
  'Rate',
  'Taxable Value',
  'Cess Amount',
  'E-Commerce GSTIN',
];
const b2csColumns = [
  'Type',
  'Place Of Supply',
  'Applicable % of Tax Rate',
  'Rate',
  'Taxable Value',
  'Cess Amount',
  'E-Commerce GSTIN',
];
const expColumns = [
  'Export Type',
  'Invoice Number',
  'Invoice date',
  'Invoice Value',
  'Port Code',
  'Shipping Bill Number',
  'Shipping Bill Date',
  'Rate',
  'Taxable Value',
  'Cess Amount',
];
const cdnrColumns = [
  'GSTIN/UIN of Recipient',
  'Receiver Name',
  'Note Number',
  'Note Date',
  'Note Type',
  'Place Of Supply',
  'Reverse Charge',
  'Note Supply Type',
  'Note Value',
  'Applicable % of Tax Rate',
  'Rate',
  'Taxable Value',
  'Cess Amount',
];
const cdnraColumns = [
  'GSTIN/UIN of Recipient',
  'Receiver Name',
  'Original Note Number',
  'Original Note Date',
  'Revised Note Number',
  'Revised Note Date',
  ...cdnrColumns.slice(4),
];
const cdnurColumns = [
  'UR Type',
  'Note Number',
  'Note Date',
  'Note Type',
  'Place Of Supply',
  'Note Value',
  'Applicable % of Tax Rate',
  'Rate',
  'Taxable Value',
  'Cess Amount',
];
const exemptColumns = [
  'Description',
  'Nil Rated Supplies',
  'Exempted(other than nil rated/non GST supply)',
  'Non-GST Supplies',
];
const advanceColumns = (what: string) => [
  'Place Of Supply',
  'Applicable % of Tax Rate',
  'Rate',
  `Gross Advance ${what}`,
  'Cess Amount',
];
const hsnColumns = [
  'HSN',
  'Description',
  'UQC',
  'Total Quantity',
  'Total Value',
  'Rate',
  'Taxable Value',
  'Integrated Tax Amount',
  'Central Tax Amount',
  'State/UT Tax Amount',
  'Cess Amount',
];
const docsColumns = ['Nature of Document', 'Sr. No. From', 'Sr. No. To', 'Total Number', 'Cancelled'];

const rupees = (paise: number): number => paise / 100;
const taxes = (row: ReturnAmounts): CsvCell[] => [row.igstPaise, row.cgstPaise, row.sgstPaise].map(rupees);
const percent = (basisPoints: number): number => basisPoints / 100;

/** The columns of a document that all tables share: `21-Nov-2026`, `29-Karnataka`. */
function partsOf({ document, ...amounts }: DocumentRow) {
  const { content, number, issuedOn } = document;
  const [year, month, day] = issuedOn.split('-');
  return {
    gstin: content.recipient.gstin ?? '',
    name: content.recipient.name,
    number,
    date: `${day}-${months[Number(month) - 1]}-${year}`,
    value: rupees(amounts.totalPaise),
    place: `${content.placeOfSupply}-${content.placeOfSupplyName}`,
    rate: content.tax === 'NONE' ? 0 : percent(content.gstRateBasisPoints),
    taxable: rupees(amounts.taxablePaise),
    supplyType: content.supplyType,
    taxes: taxes(amounts),
  };
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

const supplyTypes: Record<string, string> = {
  B2B: 'Regular B2B',
  SEZWP: 'SEZ supplies with payment',
  SEZWOP: 'SEZ supplies without payment',
};

function b2bRow(row: DocumentRow): CsvCell[] {
  const { gstin, name, number, date, value, place, rate, taxable, supplyType, taxes: amounts } = partsOf(row);
  const type = supplyTypes[supplyType] ?? supplyType;
  return [gstin, name, number, date, value, place, 'N', '', type, '', rate, taxable, 0, ...amounts];
}

/** The document keeps its number and date. */
const amendedRow = ([gstin, name, number, date, ...rest]: CsvCell[]): CsvCell[] =>
  [gstin, name, number, date, number, date, ...rest].map((cell) => cell ?? '');
const b2baRow = (row: DocumentRow): CsvCell[] => amendedRow(b2bRow(row));
const cdnraRow = (row: DocumentRow): CsvCell[] => amendedRow(cdnrRow(row));

function b2clRow(row: DocumentRow): CsvCell[] {
  const { number, date, value, place, rate, taxable, taxes: amounts } = partsOf(row);
  return [number, date, value, place, '', rate, taxable, 0, '', ...amounts];
}

function b2csRow(row: PlaceRow): CsvCell[] {
  const place = `${row.placeOfSupply}-${row.placeOfSupplyName}`;
  return ['OE', place, '', percent(row.gstRateBasisPoints), rupees(row.taxablePaise), 0, '', ...taxes(row)];
}

function expRow(row: DocumentRow): CsvCell[] {
  const { number, date, value, rate, taxable, supplyType, taxes: amounts } = partsOf(row);
  const type = supplyType === 'EXPWP' ? 'WPAY' : 'WOPAY';
  return [type, number, date, value, '', '', '', rate, taxable, 0, ...amounts];
}

function cdnrRow(row: DocumentRow): CsvCell[] {
  const { gstin, name, number, date, value, place, rate, taxable, supplyType, taxes: amounts } = partsOf(row);
  const type = supplyTypes[supplyType] ?? supplyType;
  return [gstin, name, number, date, 'C', place, 'N', type, value, '', rate, taxable, 0, ...amounts];
}

function cdnurRow(row: DocumentRow): CsvCell[] {
  const { number, date, value, place, rate, taxable, supplyType, taxes: amounts } = partsOf(row);
  const type = supplyType === 'B2C' ? 'B2CL' : supplyType;
  return [type, number, date, 'C', place, value, '', rate, taxable, 0, ...amounts];
}

/** As the offline tool writes them. */
function exemptRow({ interState, registered, taxablePaise }: ExemptRow): CsvCell[] {
  const supply = interState ? 'Inter-State' : 'Intra-State';
  return [`${supply} supplies to ${registered ? 'registered' : 'unregistered'} persons`, rupees(taxablePaise), 0, 0];
}

function advanceRow(row: PlaceRow): CsvCell[] {
  const place = `${row.placeOfSupply}-${row.placeOfSupplyName}`;
  return [place, '', percent(row.gstRateBasisPoints), rupees(row.taxablePaise), 0, ...taxes(row)];
}

function hsnRow(row: GstReturn['hsn'][number]): CsvCell[] {
  return [
    row.sac,
    nameOfService(row.sac),
    // Services have no unit.
    'NA',
    0,
    rupees(row.totalPaise),
    percent(row.gstRateBasisPoints),
    rupees(row.taxablePaise),
    ...taxes(row),
    0,
  ];
}

/** As the offline tool writes them; it refuses any other spelling. */
const natures: Record<GstReturn['docs'][number]['kind'], string> = {
  INVOICE: 'Invoices for outward supply',
  RECEIPT_VOUCHER: 'Receipt Voucher',
  REFUND_VOUCHER: 'Refund Voucher',
  CREDIT_NOTE: 'Credit Note',
};

function docsRow(row: GstReturn['docs'][number]): CsvCell[] {
  return [natures[row.kind], row.from, row.to, row.count, row.cancelled];
}
