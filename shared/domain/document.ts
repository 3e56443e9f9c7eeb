import type { Day } from '#shared/domain/day.ts';
import { safeFileName } from '#shared/domain/file-name.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';
import type { IrnDocumentType } from '#shared/domain/irn.ts';
import type { SupplyType } from '#shared/domain/place-of-supply.ts';
import type { PurchaseOrder } from '#shared/domain/purchase-order.ts';
import type { TaxKind, TaxSplit } from '#shared/domain/tax-split.ts';

/**
 * Documents that the GST law requires of a supplier. Tax invoice: CGST Rule 46; of an exempt supply a bill of supply: Rule 49. Receipt voucher for an advance: Rule
 * 50. Refund voucher for an advance given back: Rule 51. Credit note to an invoice: Rule 53(1A).
 */
export type DocumentKind = 'INVOICE' | 'RECEIPT_VOUCHER' | 'REFUND_VOUCHER' | 'CREDIT_NOTE';

/** The code of each kind on the invoice portal (null: never registered there). */
export const irnTypes: Record<DocumentKind, IrnDocumentType | null> = {
  INVOICE: 'INV',
  RECEIPT_VOUCHER: null,
  REFUND_VOUCHER: null,
  CREDIT_NOTE: 'CRN',
};

const titles: Record<DocumentKind, string> = {
  INVOICE: 'Tax invoice',
  RECEIPT_VOUCHER: 'Receipt voucher',
  REFUND_VOUCHER: 'Refund voucher',
  CREDIT_NOTE: 'Credit note',
};

/**
 * Is this supply nil-rated or exempt, which the law treats alike (CGST Act s.2(47))? Its invoice is a bill of supply (s.31(3)(c), Rule 49). A
 * zero-rated supply has a rate, under which nothing is charged.
 */
export const isExempt = ({ gstRateBasisPoints }: Pick<DocumentContent, 'gstRateBasisPoints'>): boolean =>
  gstRateBasisPoints === 0;

/**
 * Is it a nil-rated or exempt supply of table 8 of GSTR-1, which is a sum and names no buyer? To an SEZ or abroad the same is zero-rated, and named in
 * the tables of those.
 */
export const isNilSupply = (content: Pick<DocumentContent, 'gstRateBasisPoints' | 'supplyType'>): boolean =>
  isExempt(content) && ['B2B', 'B2C'].includes(content.supplyType);

/** The title of a document that is only named. */
export const titleOf = ({ kind, exempt }: Pick<DocumentReference, 'kind' | 'exempt'>): string =>
  kind === 'INVOICE' && exempt === true ? 'Bill of supply' : titles[kind];

/** How other documents, mails and files name a document. */
export function referenceOf({ kind, number, issuedOn, content }: IssuedDocument): DocumentReference {
  return { kind, number, issuedOn, ...(isExempt(content) && { exempt: true }) };
}

/**
 * The supplier. Addresses are lines for people; `pin` and `city` are separate for the invoice portal. A company's bills name its CIN, telephone
 * and e-mail (Companies Act, 2013, s.12(3)(c)); documents from before these were printed have none.
 */
export interface Supplier {
  name: string;
  gstin: string;
  cin?: string;
  /** Its registration as a micro, small or medium enterprise. */
  udyam?: string;
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
  /** Its supply is nil-rated or exempt. */
  exempt?: boolean;
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
  /** The number that the payer's bank gave it, if it came by bank transfer. */
  utr?: string;
  /** What of the price the payer deducted as tax (TDS), and transferred less. */
  withheldPaise?: number;
  /** Of a document that returns money: what was paid out for that tax before, though nothing proves it. */
  taxPaidBeforePaise?: number;
  /** The last day for its payment, of what is paid later; there is no payment that it could name (decision 081). */
  dueOn?: Day;
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

/**
 * The status of a document in the registers. One that waits for the invoice portal is no tax invoice until it is registered (CGST Rule 48(5)), and one
 * that was refused and credited will never be (decision 054).
 */
export function registerStatus(registration: {
  cancelled_at: Date | null;
  waits_since: Date | null;
  refused_at: Date | null;
  closed_at: Date | null;
}): string {
  if (registration.cancelled_at) return 'Cancelled';
  if (registration.closed_at) return 'Never registered';
  if (registration.refused_at) return 'Registration refused';
  return registration.waits_since ? 'Awaits registration' : 'Valid';
}

/**
 * The last day, in the year after the supply's, for notes that lower tax and for amendments. The return that names them must be furnished by 30
 * November (CGST Act s.34(2), s.37(3)), and that of November is furnished in December: so 31 October, unless the provider reads the law otherwise.
 */
export const noteEnds = ['10-31', '11-30'] as const;
export type NoteEnd = (typeof noteEnds)[number];

/** The last day on which a credit note lowers the supplier's tax for a supply of this day. */
export function lastCreditNoteDay(supplyDay: Day, end: NoteEnd): Day {
  return `${Number(financialYearOf(supplyDay).slice(0, 4)) + 1}-${end}`;
}

/**
 * True for a document that must be registered on the invoice portal where e-invoicing applies (Rule 48(4)). Sales to consumers are not, nor bills of
 * supply and their credit notes, nor commercial credit notes.
 */
export function needsIrn(
  kind: DocumentKind,
  content: Pick<DocumentContent, 'supplyType' | 'gstRateBasisPoints' | 'withoutTax'>,
): boolean {
  return irnTypes[kind] !== null && content.supplyType !== 'B2C' && !isExempt(content) && content.withoutTax !== true;
}

/** The name of a document's PDF: `tax-invoice-OCT-26-27-000001.pdf`. */
export function documentFileName(document: Pick<DocumentReference, 'kind' | 'number' | 'exempt'>): string {
  return safeFileName(`${titleOf(document).toLowerCase().replaceAll(' ', '-')}-${document.number}.pdf`);
}
