import { bookAccounts } from '#shared/domain/book-accounts.ts';
import type { BookVoucher } from '#shared/domain/book-voucher.ts';
import { type CsvCell, csvOf } from '#shared/domain/csv.ts';
import { addDays } from '#shared/domain/day.ts';
import { isExempt, registerSign, titleOf } from '#shared/domain/document.ts';
import type { TrialBalance } from '#shared/domain/trial-balance.ts';
import type { LaterAmended, PeriodDocument, Party } from './store.ts';

const rupees = (paise: number): number => paise / 100;
/** An amount of one side; empty on the other. */
const sideOf = (amount: number): CsvCell => (amount === 0 ? '' : amount);
const side = (paise: number): CsvCell => sideOf(rupees(paise));

const salesColumns = [
  'Date',
  'Document',
  'Number',
  'Refers to',
  'Supplier GSTIN',
  'Customer',
  'Customer name',
  'Customer GSTIN',
  'Place of supply',
  'Supply',
  'Description',
  'SAC',
  'From',
  'To',
  'Rate %',
  'Taxable value',
  'IGST',
  'CGST',
  'SGST/UTGST',
  'Round off',
  'Total',
  'IRN',
  'Status',
  'Payment',
  'Purchase order',
  'Purchase order date',
];

/**
 * The sales register of a month or year: every document, in the order of its issue. Credit notes and refund vouchers are negative, a cancelled
 * invoice is zero.
 */
export function salesRegister(documents: readonly PeriodDocument[]): string {
  return csvOf(salesColumns, documents.map(salesRow));
}

function salesRow({ content, kind, number, issuedOn, customerId, irn, cancelled, status }: PeriodDocument): CsvCell[] {
  const { split, item } = content;
  const sign = registerSign(kind, cancelled);
  // Adding 0 turns -0 into 0.
  const amount = (paise: number): number => rupees(sign * paise) + 0;
  return [
    issuedOn,
    titleOf({ kind, exempt: isExempt(content) }),
    number,
    content.refersTo?.number ?? '',
    content.supplier.gstin,
    customerId,
    content.recipient.name,
    content.recipient.gstin ?? '',
    `${content.placeOfSupply} ${content.placeOfSupplyName}`,
    content.supplyType,
    item.description,
    item.sac,
    item.fromDate,
    addDays(item.toDate, -1),
    content.tax === 'NONE' || content.withoutTax === true ? 0 : content.gstRateBasisPoints / 100,
    amount(split.taxablePaise),
    amount(split.igstPaise),
    amount(split.cgstPaise),
    amount(split.sgstPaise + split.utgstPaise),
    amount(split.roundOffPaise),
    amount(split.totalPaise),
    irn ?? '',
    status,
    content.paymentId,
    content.purchaseOrder?.number ?? '',
    content.purchaseOrder?.date ?? '',
  ];
}

/** Documents of earlier days whose buyer was corrected in the month or year (GSTR-1, tables 9A and 9C): their registers and vouchers name the buyer before. */
export function amendmentRegister(amended: readonly LaterAmended[]): string {
  return csvOf(
    [
      'Amended on',
      'Document',
      'Number',
      'Date',
      'Customer name before',
      'Customer GSTIN before',
      'Place of supply before',
      'Customer name',
      'Customer GSTIN',
      'Place of supply',
    ],
    amended.map(({ kind, number, issued_on: issuedOn, amended_on: amendedOn, original, content }): CsvCell[] => [
      amendedOn,
      titleOf({ kind, exempt: isExempt(content) }),
      number,
      issuedOn,
      ...buyerCells(original),
      ...buyerCells(content),
    ]),
  );
}

const buyerCells = ({ recipient, placeOfSupply, placeOfSupplyName }: PeriodDocument['content']): CsvCell[] => [
  recipient.name,
  recipient.gstin ?? '',
  `${placeOfSupply} ${placeOfSupplyName}`,
];

/** The day book: every line of every voucher. */
export function dayBook(vouchers: readonly BookVoucher[], parties: ReadonlyMap<string, Party>): string {
  const columns = [
    'Date',
    'Voucher',
    'Number',
    'UTR',
    'Transfer date',
    'Account',
    'Customer',
    'Debit',
    'Credit',
    'Narration',
  ];
  const rows = vouchers.flatMap(({ on, kind, number, transfer, lines, narration }) =>
    lines.map(({ account, customerId, amountPaise }): CsvCell[] => [
      on,
      kind,
      number,
      transfer?.utr ?? '',
      transfer?.on ?? '',
      bookAccounts[account].title,
      customerId === null ? '' : (parties.get(customerId)?.ledger ?? customerId),
      side(Math.max(amountPaise, 0)),
      side(Math.max(-amountPaise, 0)),
      narration,
    ]),
  );
  return csvOf(columns, rows);
}

/** The trial balance in rupees. */
export function trialBalanceInRupees({ rows, debitPaise, creditPaise }: TrialBalance) {
  return {
    rows: rows.map(({ debitPaise: debit, creditPaise: credit, account, title, group }) => ({
      account,
      title,
      group,
      debit: rupees(debit),
      credit: rupees(credit),
    })),
    debit: rupees(debitPaise),
    credit: rupees(creditPaise),
  };
}

interface BalanceInRupees {
  rows: readonly { title: string; group: string; debit: number; credit: number }[];
  debit: number;
  credit: number;
}

/** The same for a spreadsheet. */
export function trialBalanceCsv({ rows, debit, credit }: BalanceInRupees): string {
  return csvOf(
    ['Account', 'Group', 'Debit', 'Credit'],
    [
      ...rows.map((row): CsvCell[] => [row.title, row.group, sideOf(row.debit), sideOf(row.credit)]),
      ['Total', '', debit, credit],
    ],
  );
}
