import type { IssuedDocument } from '#shared/domain/document.ts';
import type { ReturnDocument } from '#shared/domain/return-document.ts';
import { type TaxSplit, usedOfAdvance } from '#shared/domain/tax-split.ts';

/** A document that counts with a sign. */
export interface Signed {
  document: IssuedDocument;
  sign: number;
}

/** An advance, and what a document uses up of it, at the place and rate of the advance. */
export interface AdvanceUse {
  advance: IssuedDocument;
  used: IssuedDocument;
}

/** A receipt voucher, or an invoice without one that was cancelled in a later month. */
export function isAdvance({ kind, cancelledLater, follows }: ReturnDocument): boolean {
  return kind === 'RECEIPT_VOUCHER' || (cancelledLater === true && follows?.kind !== 'RECEIPT_VOUCHER');
}

/** An invoice that was cancelled in its own month still used up its advance: its replacement refers to the invoice. */
export function advanceUsedBy(document: ReturnDocument): AdvanceUse[] {
  const { follows, cancelledLater, replaces, returnedBefore } = document;
  if (cancelledLater === true) return [];
  if (follows?.kind === 'RECEIPT_VOUCHER')
    return [{ advance: follows, used: usedUp(document, follows, returnedBefore) }];
  if (!replaces) return [];
  // The replacement may be over less, as tax that is not due was refunded: all of the cancelled invoice is over.
  const { invoice, advance } = replaces;
  return [advance ? { advance, used: usedUp(invoice, advance, returnedBefore) } : { advance: invoice, used: invoice }];
}

/** What is left of an advance of this month at its end: nothing once it was invoiced or fully refunded. */
export function unsettled(advance: ReturnDocument, uses: readonly AdvanceUse[]): Signed[] {
  const settled = uses.filter((use) => use.advance.number === advance.number).map(({ used }) => used);
  const settledPaise = settled.reduce((sum, { content }) => sum + content.split.totalPaise, 0);
  if (settledPaise === advance.content.split.totalPaise) return [];
  return [{ document: advance, sign: 1 }, ...settled.map((used) => ({ document: used, sign: -1 }))];
}

/** How much of an advance an invoice or a refund uses up, at the place and rate of the advance: it is deducted as it was reported. */
function usedUp(
  document: IssuedDocument,
  { content, ...voucher }: IssuedDocument,
  before: readonly TaxSplit[] = [],
): IssuedDocument {
  return { ...voucher, content: { ...content, split: usedOfAdvance(content.split, before, document.content.split) } };
}
