import type { Profile } from '#shared/contract/account.ts';
import type { Day } from '#shared/domain/day.ts';
import {
  type DocumentContent,
  type IssuedDocument,
  isExempt,
  lastCreditNoteDay,
  type NoteEnd,
  referenceOf,
  type Recipient,
  type Supplier,
} from '#shared/domain/document.ts';
import { letterOn, lettersOf } from '#shared/domain/letter-of-undertaking.ts';
import {
  decideTax,
  type Recipient as TaxedRecipient,
  type SupplyType,
  type TaxDecision,
} from '#shared/domain/place-of-supply.ts';
import type { PurchaseOrder } from '#shared/domain/purchase-order.ts';
import { findState } from '#shared/domain/states.ts';
import { splitInclusive, splitOfReturn, type TaxKind } from '#shared/domain/tax-split.ts';
import type { ProvenProfile } from '#server/features/tax-claims/tax-claims.ts';
import type { DocumentSettings } from '#server/document-settings.ts';

/** What was sold and paid for, independent of the buyer. */
export interface Sale {
  item: DocumentContent['item'];
  gstRateBasisPoints: number;
  totalPaise: number;
  activationId: string;
  paymentId: string;
  utr?: string;
  withheldPaise?: number;
  /** It is paid later, until this day. */
  dueOn?: Day;
  /** That of the payment, or of the business profile when the sale was paid. */
  purchaseOrder?: PurchaseOrder;
}

/**
 * The content of a document about a sale to a customer with this business profile, supplied on a day. The total is the amount paid; place of
 * supply and taxes follow from the profile and the State of the supplier's registration. `follows`: the document that it refers to. Throws when the profile gives no place of supply, which was checked before.
 */
export function contentOf(
  settings: DocumentSettings,
  profile: ProvenProfile,
  sale: Sale,
  about: { suppliedOn: Day; follows?: IssuedDocument; reason?: string },
): DocumentContent {
  const { follows } = about;
  const supplier = supplierOf(settings, follows);
  const { purchaseOrder, utr, withheldPaise, dueOn } = sale;
  const lut = letterOn(lettersOf(settings.lettersOfUndertaking, supplier.gstin), about.suppliedOn)?.arn ?? null;
  const decision = decideTax({
    supplierStateCode: supplier.stateCode,
    recipient: taxedRecipient(profile, lut !== null),
  });
  if (!decision.ok) throw new Error(`no place of supply for ${profile.legalName}: ${decision.refusal}`);
  return {
    supplier,
    recipient: recipientOf(profile),
    item: sale.item,
    ...supplyOf(decision, isExempt(sale)),
    lut: decision.tax === 'NONE' ? lut : null,
    gstRateBasisPoints: sale.gstRateBasisPoints,
    split: splitInclusive(sale.totalPaise, sale.gstRateBasisPoints, decision.tax),
    activationId: sale.activationId,
    paymentId: sale.paymentId,
    ...(utr !== undefined && { utr }),
    ...(withheldPaise !== undefined && { withheldPaise }),
    ...(dueOn !== undefined && { dueOn }),
    ...(purchaseOrder && { purchaseOrder }),
    refersTo: follows ? referenceOf(follows) : null,
    reason: about.reason ?? null,
  };
}

/** The same sale over another total. */
export function overTotal(content: DocumentContent, totalPaise: number): DocumentContent {
  return { ...content, split: splitInclusive(totalPaise, content.gstRateBasisPoints, content.tax) };
}

/** The taxes of a supply to this buyer; NONE: an export or a supply to an SEZ under a letter of undertaking (IGST Act s.16). Undefined where no place of supply follows. */
export function taxOf(
  settings: Pick<DocumentSettings, 'supplierGstin' | 'lettersOfUndertaking'>,
  profile: ProvenProfile,
  suppliedOn: Day,
): TaxKind | undefined {
  const letters = lettersOf(settings.lettersOfUndertaking, settings.supplierGstin);
  const recipient = taxedRecipient(profile, letterOn(letters, suppliedOn) !== undefined);
  const decision = decideTax({ supplierStateCode: settings.supplierGstin.slice(0, 2), recipient });
  return decision.ok ? decision.tax : undefined;
}

/**
 * The content of a document that returns money: that of its original, over an amount that may be smaller. `before`: what was returned already; what a
 * commercial credit note returned counts with its share of the tax, which stays paid.
 */
export function contentOfReturn(
  original: DocumentContent,
  before: readonly DocumentContent[],
  returnPaise: number,
  refersTo: DocumentContent['refersTo'],
  reason: string,
): DocumentContent {
  const split = splitOfReturn(
    original.split,
    before.map(({ split: part, withoutTax }) =>
      withoutTax === true ? splitInclusive(part.totalPaise, original.gstRateBasisPoints, original.tax) : part,
    ),
    returnPaise,
    original,
  );
  return { ...original, split, refersTo, reason };
}

const checked = Symbol('the last day for reducing tax was checked');

/** The content of a credit note. Only `creditNoteOf` creates it, so that no code path can skip the check of the last day. */
export type CreditNoteContent = DocumentContent & { readonly [checked]: true };

/**
 * The content of a credit note to an invoice, issued on a day. After the last day for it (`lastCreditNoteDay`) the tax can no longer be reduced:
 * it is then a commercial credit note, over the same amount. One to a bill of supply reduces no tax, and has no last day.
 */
export function creditNoteOf(
  invoice: DocumentContent,
  before: readonly DocumentContent[],
  returnPaise: number,
  refersTo: DocumentContent['refersTo'],
  reason: string,
  { today, end }: { today: Day; end: NoteEnd },
): CreditNoteContent {
  const content = contentOfReturn(invoice, before, returnPaise, refersTo, reason);
  if (isExempt(invoice) || today <= lastCreditNoteDay(invoice.item.fromDate, end))
    return { ...content, [checked]: true };
  const split = splitInclusive(returnPaise, invoice.gstRateBasisPoints, 'NONE');
  return { ...content, split, withoutTax: true, [checked]: true };
}

/** The sale of a document, at that document's rate. */
export function saleOf(content: DocumentContent): Sale {
  const { item, gstRateBasisPoints, split, activationId, paymentId, purchaseOrder, utr, withheldPaise, dueOn } =
    content;
  const { totalPaise } = split;
  const more = {
    ...(utr !== undefined && { utr }),
    ...(withheldPaise !== undefined && { withheldPaise }),
    ...(dueOn !== undefined && { dueOn }),
    ...(purchaseOrder && { purchaseOrder }),
  };
  return { item, gstRateBasisPoints, totalPaise, activationId, paymentId, ...more };
}

/** The purchase order that the business profile names. */
export function purchaseOrderOf({ purchaseOrder, purchaseOrderDate }: Profile): PurchaseOrder | undefined {
  return purchaseOrder ? { number: purchaseOrder, date: purchaseOrderDate ?? null } : undefined;
}

/** The buyer, as a document issued today names them. */
export function recipientOf(profile: Profile): Recipient {
  const { legalName: name, address, city, pin, gstin, stateCode, country = 'IN' } = profile;
  return { name, address, city, pin, gstin, stateCode, stateName: findState(stateCode)?.name ?? '', country };
}

/**
 * The supplier in today's settings. After a change of GSTIN a document that follows another one stays with the registration of that one: each
 * is a person of its own in law, with its own returns (CGST Act s.25(4)).
 */
export function supplierOf(settings: DocumentSettings, follows?: IssuedDocument): Supplier {
  const before = follows?.content.supplier;
  if (before && before.gstin !== settings.supplierGstin) return before;
  const stateCode = settings.supplierGstin.slice(0, 2);
  return {
    name: settings.supplierName,
    gstin: settings.supplierGstin,
    ...(settings.supplierCin === undefined ? {} : { cin: settings.supplierCin }),
    ...(settings.supplierUdyam === undefined ? {} : { udyam: settings.supplierUdyam }),
    email: settings.supplierEmail ?? settings.supportEmail,
    phone: settings.supplierPhone ?? settings.supportPhone,
    address: settings.supplierAddress,
    city: settings.supplierCity,
    pin: settings.supplierPin,
    stateCode,
    stateName: findState(stateCode)?.name ?? '',
  };
}

/** A claim without a declaration counts for nothing: an SEZ is taxed as any business, an export bears IGST. */
function taxedRecipient(profile: ProvenProfile, underLut: boolean): TaxedRecipient {
  if ((profile.country ?? 'IN') !== 'IN') return { kind: 'overseas', underLut: underLut && profile.proven };
  if (profile.gstin === null) return { kind: 'unregistered', stateCode: profile.stateCode };
  return { kind: 'registered', gstin: profile.gstin, sez: profile.sez === true && profile.proven, underLut };
}

/** An exempt supply to a zone or abroad is without payment of tax, also without a letter of undertaking (Circular 45/19/2018-GST, paragraph 4). */
const withoutPayment: Partial<Record<SupplyType, SupplyType>> = { SEZWP: 'SEZWOP', EXPWP: 'EXPWOP' };

function supplyOf(decision: TaxDecision & { ok: true }, exempt: boolean) {
  const { placeOfSupply, placeOfSupplyName, tax, interState } = decision;
  const supplyType = (exempt ? withoutPayment[decision.supplyType] : undefined) ?? decision.supplyType;
  return { supplyType, placeOfSupply, placeOfSupplyName, tax, interState };
}
