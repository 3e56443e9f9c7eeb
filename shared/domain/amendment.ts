import type { Day } from '#shared/domain/day.ts';
import { type DocumentContent, isNilSupply, lastCreditNoteDay, type NoteEnd } from '#shared/domain/document.ts';

/**
 * An amendment corrects the buyer's details of an invoice, or of a credit note, that was furnished with a mistake, and no amount (CGST Act
 * s.37(3); GSTR-1 tables 9A and 9C). The document keeps its number and date.
 */

/** The last day for rectifying a document of this date (CGST Act s.37(3), first proviso). */
export function lastAmendmentDay(issuedOn: Day, end: NoteEnd): Day {
  return lastCreditNoteDay(issuedOn, end);
}

/**
 * The content of a document with the buyer's details of another one; undefined when it can't be amended to that, because more than details would
 * change. GSTR-1 can't move a document between its tables by an amendment, so the type of supply and the kind of tax stay, and a consumer's place of
 * supply, which is a sum in tables 5 and 7. The invoice portal amends nothing: the GSTIN in a signed QR code stays.
 */
export function amendedContent(
  original: DocumentContent,
  wanted: Pick<
    DocumentContent,
    'recipient' | 'supplyType' | 'tax' | 'interState' | 'placeOfSupply' | 'placeOfSupplyName'
  >,
  isRegistered: boolean,
): DocumentContent | undefined {
  const { recipient, placeOfSupply, placeOfSupplyName } = wanted;
  const isSameSupply =
    wanted.supplyType === original.supplyType &&
    wanted.tax === original.tax &&
    wanted.interState === original.interState &&
    (original.supplyType !== 'B2C' || placeOfSupply === original.placeOfSupply);
  if (!isSameSupply) return undefined;
  if (isRegistered && recipient.gstin !== original.recipient.gstin) return undefined;
  return { ...original, recipient, placeOfSupply, placeOfSupplyName };
}

/** Does the return show the change? It names a buyer by GSTIN and place of supply only, and none of a nil supply. */
export function isInReturn(original: DocumentContent, amended: DocumentContent): boolean {
  return (
    original.withoutTax !== true &&
    !isNilSupply(original) &&
    (original.recipient.gstin !== amended.recipient.gstin || original.placeOfSupply !== amended.placeOfSupply)
  );
}
