import type { Day } from '#domain/day.ts';
import { financialYearOf } from '#domain/financial-year.ts';
import type { IrnDocumentType } from '#domain/irn.ts';
import type { SupplyType } from '#domain/place-of-supply.ts';
import type { PurchaseOrder } from '#domain/purchase-order.ts';
import type { TaxKind, TaxSplit } from '#domain/tax-split.ts';

/**
 * Documents that the GST law requires of a supplier. Tax invoice: CGST Rule 46. Receipt voucher for an advance: Rule
 * 50. Refund voucher for an advance given back: Rule 51. Credit note to an invoice: Rule 53(1A).
 */
export type DocumentKind = 'INVOICE' | 'RECEIPT_VOUCHER' | 'REFUND_VOUCHER' | 'CREDIT_NOTE';

/** The title of each kind, and its code on the invoice portal (null: never registered there). */
export const documentKinds: Record<DocumentKind, { title: string; irnType: IrnDocumentType | null }> = {
  INVOICE: { title: 'Tax invoice', irnType: 'INV' },
  RECEIPT_VOUCHER: { title: 'Receipt voucher', irnType: null },
  REFUND_VOUCHER: { title: 'Refund voucher', irnType: null },
  CREDIT_NOTE: { title: 'Credit note', irnType: 'CRN' },
};

/**
 * The supplier. Addresses are lines for people; `pin` and `city` are separate for the invoice portal. A company's bills name its CIN, telephone
 * and e-mail (Companies Act, 2013, s.12(3)(c)); documents from before these were printed have none.
 */
export interface Supplier {
  name: string;
  gstin: string;
  cin?: string;
  email?: string;
  phone?: string;
  address: string;
  city: string;
  pin: string;
  stateCode: string;
  stateName: string;
}

/** The recipient. `country` is ISO 3166-1 alpha-2; outside India the state code is 96. */
export interface Recipient {
  name: string;
  gstin: string | null;
  address: string;
  city: string;
  pin: string;
  stateCode: string;
  stateName: string;
  country: string;
}

/** Another document that this one must name (Rule 51: the receipt voucher; Rule 53(1A): the invoice). */
export interface DocumentReference {
  kind: DocumentKind;
  number: string;
  issuedOn: Day;
}

/** The complete content of a document, as data. It is kept for ever as issued. */
export interface DocumentContent {
  supplier: Supplier;
  recipient: Recipient;
  /** The service, its SAC and the days it covers; `toDate` is the first day after them. */
  item: { description: string; sac: string; fromDate: Day; toDate: Day };
  supplyType: SupplyType;
  placeOfSupply: string;
  placeOfSupplyName: string;
  tax: TaxKind;
  interState: boolean;
  /** Number of the letter of undertaking under which no tax is charged. */
  lut: string | null;
  gstRateBasisPoints: number;
  split: TaxSplit;
  activationId: string;
  paymentId: string;
  /** The buyer's purchase order, when the sale was made. */
  purchaseOrder?: PurchaseOrder;
  /** The document that this one refers to. */
  refersTo: DocumentReference | null;
  /** A commercial credit note: money is refunded, and the tax stays as invoiced. It is not a note under section 34. */
  withoutTax?: true;
  /** Why it was issued, where its kind does not say it. */
  reason: string | null;
}

/** A document with its number and day, for reports and files. */
export interface IssuedDocument {
  kind: DocumentKind;
  number: string;
  /** IST. */
  issuedOn: Day;
  content: DocumentContent;
}

/**
 * How a document counts in a register or a sum: what returns money is negative, and an invoice whose registration was cancelled counts as
 * never issued, since another one replaces it.
 */
export function registerSign(kind: DocumentKind, isCancelled: boolean): 1 | 0 | -1 {
  if (isCancelled) return 0;
  return kind === 'CREDIT_NOTE' || kind === 'REFUND_VOUCHER' ? -1 : 1;
}

/** The last day on which a credit note lowers the supplier's tax: 30 November after the financial year of the supply (CGST Act s.34(2)). */
export function lastCreditNoteDay(supplyDay: Day): Day {
  return `${Number(financialYearOf(supplyDay).slice(0, 4)) + 1}-11-30`;
}

/**
 * True for a document that must be registered on the invoice portal where e-invoicing applies (Rule 48(4)). Sales to
 * consumers are not.
 */
export function needsIrn(kind: DocumentKind, supplyType: SupplyType): boolean {
  return documentKinds[kind].irnType !== null && supplyType !== 'B2C';
}

/** The name of a document's PDF: `tax-invoice-OCT-26-27-000001.pdf`. */
export function documentFileName(kind: DocumentKind, number: string): string {
  return `${documentKinds[kind].title.toLowerCase().replaceAll(' ', '-')}-${number.replaceAll('/', '-')}.pdf`;
}
