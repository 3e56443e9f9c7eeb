import { type Amounts, monthOf, noAmounts, plus, taxesInside } from './arithmetic.ts';
import type { Paper, PaperKind, Supply } from './papers.ts';

/** The tables of GSTR-1, by their names in the file for upload. */
export const tableNames = [
  'b2b',
  'b2ba',
  'b2cl',
  'b2cs',
  'exp',
  'cdnr',
  'cdnra',
  'cdnur',
  'nil',
  'at',
  'txpd',
  'hsn_b2b',
  'hsn_b2c',
] as const;
export type TableName = (typeof tableNames)[number];

/** One month of GSTR-1, reduced to sums. */
export interface ReturnSums {
  tables: Record<TableName, Amounts>;
  /** GSTR-3B, table 3.1: taxable supplies, zero-rated and exempt ones. */
  outward: { taxable: Amounts; zeroRated: Amounts; exempt: Amounts };
  /** Table 13: how many documents of each nature were issued, and how many of them were cancelled. */
  issued: Record<PaperKind, { count: number; cancelled: number }>;
}

const none = () => ({ count: 0, cancelled: 0 });

export function emptyReturn(): ReturnSums {
  return {
    tables: {
      b2b: noAmounts,
      b2ba: noAmounts,
      cdnra: noAmounts,
      b2cl: noAmounts,
      b2cs: noAmounts,
      exp: noAmounts,
      cdnr: noAmounts,
      cdnur: noAmounts,
      nil: noAmounts,
      at: noAmounts,
      txpd: noAmounts,
      hsn_b2b: noAmounts,
      hsn_b2c: noAmounts,
    },
    outward: { taxable: noAmounts, zeroRated: noAmounts, exempt: noAmounts },
    issued: { INVOICE: none(), RECEIPT_VOUCHER: none(), REFUND_VOUCHER: none(), CREDIT_NOTE: none() },
  };
}

/** Individual reporting of inter-State sales to consumers starts above ₹1 lakh (Notification 12/2024-Central Tax). */
const largeFromPaise = 1_00_000_00;

const isRegistered = ({ type }: Supply) => type === 'B2B' || type === 'SEZWP' || type === 'SEZWOP';
const isExport = ({ type }: Supply) => type === 'EXPWP' || type === 'EXPWOP';

/** The return of each month in which a paper was issued, worked out from the papers that must exist. */
export function returnsOf(papers: readonly Paper[]): Map<string, ReturnSums> {
  const returns = new Map<string, ReturnSums>();
  for (const month of new Set(papers.flatMap(({ on, amendedOn = on }) => [monthOf(on), monthOf(amendedOn)])))
    returns.set(month, returnOf(month, papers));
  return returns;
}

function returnOf(month: string, all: readonly Paper[]): ReturnSums {
  const sums = emptyReturn();
  const add: Add = (table, amounts, supply, sign = 1) => {
    sums.tables[table] = plus(sums.tables[table], amounts, sign);
    const owed = liability[table] * sign;
    if (owed === 0) return;
    // Table 11 doesn't say who paid an advance: the GST portal fills it into 3.1(a).
    const isAdvance = table === 'at' || table === 'txpd';
    const row = table === 'nil' ? 'exempt' : !isAdvance && isZeroRated(supply) ? 'zeroRated' : 'taxable';
    sums.outward[row] = plus(sums.outward[row], amounts, owed > 0 ? 1 : -1);
  };
  for (const one of all.filter(({ amendedOn, on }) => isOfMonth(amendedOn, month) && monthOf(on) < month))
    add(one.kind === 'INVOICE' ? 'b2ba' : 'cdnra', one, one.supply);
  for (const one of all.filter(({ on }) => monthOf(on) === month)) {
    sums.issued[one.kind].count += 1;
    if (one.cancelled === true) sums.issued[one.kind].cancelled += 1;
    else if (one.kind === 'INVOICE') addInvoice(add, one);
    else if (one.kind === 'CREDIT_NOTE' && one.withoutTax !== true) addNote(add, one);
    if (one.kind === 'RECEIPT_VOUCHER' || one.cancelledLater === true) addAdvance(add, one, all);
    addUsedAdvance(add, one);
  }
  return sums;
}

const isOfMonth = (day: string | undefined, month: string) => day !== undefined && monthOf(day) === month;

type Add = (table: TableName, amounts: Amounts, supply: Supply, sign?: 1 | -1) => void;

/** Whether a table adds to what is owed (GSTR-3B, table 3.1), takes from it, or repeats other tables. */
const liability: Record<TableName, 1 | -1 | 0> = {
  b2b: 1,
  // Amounts stay as they were reported before.
  b2ba: 0,
  cdnra: 0,
  b2cl: 1,
  b2cs: 1,
  exp: 1,
  cdnr: -1,
  cdnur: -1,
  nil: 1,
  at: 1,
  txpd: -1,
  hsn_b2b: 0,
  hsn_b2c: 0,
};

/** Nil-rated and exempt supplies inside India are sums in table 8. */
const isExempt = ({ ratePercent, ...supply }: Supply) => ratePercent === 0 && !isZeroRated(supply);

/** Exports and supplies to SEZs, with or without payment of tax (IGST Act s.16). */
const isZeroRated = ({ type }: Pick<Supply, 'type'>) => type !== 'B2B' && type !== 'B2C';

function addInvoice(add: Add, one: Paper): void {
  const { supply } = one;
  if (isExempt(supply)) add('nil', one, supply);
  else if (isRegistered(supply)) add('b2b', one, supply);
  else if (isExport(supply)) add('exp', one, supply);
  else add(isLarge(one.total, supply) ? 'b2cl' : 'b2cs', one, supply);
  add(isRegistered(supply) ? 'hsn_b2b' : 'hsn_b2c', one, supply);
}

function addNote(add: Add, one: Paper): void {
  const { supply, against } = one;
  if (isExempt(supply)) add('nil', one, supply, -1);
  else if (isRegistered(supply)) add('cdnr', one, supply);
  else if (isExport(supply) || isLarge(against?.total ?? 0, supply)) add('cdnur', one, supply);
  else add('b2cs', one, supply, -1);
  add(isRegistered(supply) ? 'hsn_b2b' : 'hsn_b2c', one, supply, -1);
}

const isLarge = (totalPaise: number, { levy }: Supply) => levy === 'INTEGRATED' && totalPaise > largeFromPaise;

/** An advance with tax is reported in its month as far as it was not used in the same month (table 11A). */
function addAdvance(add: Add, one: Paper, all: readonly Paper[]): void {
  if (!bearsTax(one.supply)) return;
  const uses = all.filter(({ advanceOf, on }) => advanceOf === one && monthOf(on) === monthOf(one.on));
  const used = uses.reduce((sum, { total }) => sum + total, 0);
  if (used === one.total) return;
  add('at', one, one.supply);
  for (const use of uses) add('at', shareOf(one, use), one.supply, -1);
}

/** An advance of an earlier month that is invoiced or refunded (table 11B). */
function addUsedAdvance(add: Add, one: Paper): void {
  const { advanceOf } = one;
  if (advanceOf === undefined || !bearsTax(advanceOf.supply) || monthOf(advanceOf.on) === monthOf(one.on)) return;
  add('txpd', shareOf(advanceOf, one), advanceOf.supply);
}

const bearsTax = ({ levy, ratePercent }: Supply) => levy !== 'NONE' && ratePercent > 0;

/** The part of an advance that a document uses, at the place and rate at which the advance was reported. */
function shareOf(advance: Paper, { total }: Paper): Amounts {
  if (total === advance.total) return advance;
  return taxesInside(total, advance.supply.ratePercent, advance.supply.levy);
}
