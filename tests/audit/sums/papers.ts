import { type Amounts, type Day, type Levy, paise, plus, taxesInside } from './arithmetic.ts';

export type PaperKind = 'INVOICE' | 'RECEIPT_VOUCHER' | 'REFUND_VOUCHER' | 'CREDIT_NOTE';

/** How a supply is taxed and reported, as the author of a scenario works it out from the law. */
export interface Supply {
  type: 'B2B' | 'B2C' | 'SEZWP' | 'SEZWOP' | 'EXPWP' | 'EXPWOP';
  levy: Levy;
  /** The place of supply. */
  place: string;
  ratePercent: number;
}

/** A document that a scenario must produce. Amounts in paise. */
export interface Paper extends Amounts {
  kind: PaperKind;
  on: Day;
  total: number;
  supply: Supply;
  /** The receipt voucher of the advance that it uses up, or the invoice that it replaces and that was cancelled in an earlier month. */
  advanceOf?: Paper;
  /** The invoice that a credit note reduces. */
  against?: Paper;
  /** A commercial credit note: too late to reduce tax (CGST Act s.34(2)). */
  withoutTax?: true;
  /** The buyer's GSTIN or place of supply on it was amended on this day (GSTR-1, tables 9A and 9C). */
  amendedOn?: Day;
  /** Its registration as an e-invoice was cancelled: it counts as never issued. */
  cancelled?: true;
  /** It was cancelled in a later month: its payment is an advance of its own month. */
  cancelledLater?: true;
}

function paper(kind: PaperKind, on: Day, rupees: number, supply: Supply): Paper {
  const total = paise(rupees);
  return { kind, on, total, supply, ...taxesInside(total, supply.ratePercent, supply.levy) };
}

/** A tax invoice over a total that includes GST (Rule 46). */
export const invoice = (on: Day, rupees: number, supply: Supply): Paper => paper('INVOICE', on, rupees, supply);

/** The receipt voucher of an advance (Rule 50). */
export const voucher = (on: Day, rupees: number, supply: Supply): Paper => paper('RECEIPT_VOUCHER', on, rupees, supply);

/** The tax invoice of an advance, when its service starts. */
export const invoiceOf = (
  advance: Paper,
  on: Day,
  rupees: number = advance.total / 100,
  supply = advance.supply,
): Paper => ({
  ...paper('INVOICE', on, rupees, supply),
  advanceOf: advance,
});

/** The refund voucher of an advance (Rule 51). */
export const refundOf = (advance: Paper, on: Day, rupees: number = advance.total / 100): Paper => ({
  ...paper('REFUND_VOUCHER', on, rupees, advance.supply),
  advanceOf: advance,
});

/** A credit note (Rule 53); over the whole invoice unless told otherwise. */
export const note = (against: Paper, on: Day, rupees: number = against.total / 100): Paper => ({
  ...paper('CREDIT_NOTE', on, rupees, against.supply),
  against,
});

/** The last of several documents that return money: together they return exactly what the original charged, tax by tax. */
export function rest(last: Paper, earlier: readonly Paper[]): Paper {
  const original = last.against ?? last.advanceOf;
  if (original === undefined) throw new Error('only a credit note or a refund voucher returns money');
  const left = earlier.reduce<Amounts>((amounts, part) => plus(amounts, part, -1), original);
  const { taxable, igst, cgst, sgst } = left;
  return { ...last, taxable, igst, cgst, sgst };
}

/** A credit note after the last day for reducing tax. */
export const commercialNote = (against: Paper, on: Day, rupees: number = against.total / 100): Paper => ({
  ...paper('CREDIT_NOTE', on, rupees, { ...against.supply, levy: 'NONE' }),
  supply: against.supply,
  against,
  withoutTax: true,
});

/** The same paper, with another GSTIN or place of supply from a day on. */
export const amended = (one: Paper, amendedOn: Day): Paper => ({ ...one, amendedOn });

/** The same paper, after its registration as an e-invoice was cancelled. */
export const cancelled = (one: Paper): Paper => ({ ...one, cancelled: true });
export const cancelledLater = (one: Paper): Paper => ({ ...one, cancelled: true, cancelledLater: true });
