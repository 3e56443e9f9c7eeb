import type { IssuedDocument } from '#shared/domain/document.ts';
import type { TaxSplit } from '#shared/domain/tax-split.ts';

/** A document as the monthly return needs it. */
export interface ReturnDocument extends IssuedDocument {
  /** Its registration on the invoice portal was cancelled: it counts as never issued. */
  cancelled: boolean;
  /** It has an IRN and these details: the GST portal fills it into the return by itself, with its source and IRN. */
  filledIn?: boolean;
  /** The document that it refers to: an invoice's advance, a voucher's or credit note's original. */
  follows: IssuedDocument | null;
  /** What was refunded before of the advance that it uses up. */
  returnedBefore?: readonly TaxSplit[];
  /**
   * Cancelled in a later month: until then its payment is an advance, as the time of supply stays (CGST Act s.13(2)). So it is in table 11A of its
   * own month, and in 11B of the month of the invoice that replaces it.
   */
  cancelledLater?: boolean;
  /** Of an invoice that replaces one that was cancelled in a later month: that one, with its own advance, if any. */
  replaces?: { invoice: IssuedDocument; advance: IssuedDocument | null } | null;
}
