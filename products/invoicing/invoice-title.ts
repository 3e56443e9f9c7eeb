import type { DecidedTax } from '#products/invoicing/check-invoice.ts';
import type { InvoiceRequest } from '#products/invoicing/invoice-request.ts';

export const invoiceTitles = [
  'Tax invoice',
  'Bill of supply',
  'Invoice-cum-bill of supply',
  'Credit note',
  'Debit note',
] as const;
export type InvoiceTitle = (typeof invoiceTitles)[number];

type Of = Pick<InvoiceRequest, 'document' | 'items'>;

/** Is everything on it nil-rated or exempt (CGST Act s.2(47))? */
export const isOfExempt = ({ items }: Pick<Of, 'items'>): boolean => items.every(({ gstRate }) => gstRate === 0);

/** Are exempt and taxable supplies on it together? */
export const isMixed = (of: Pick<Of, 'items'>): boolean =>
  !isOfExempt(of) && of.items.some(({ gstRate }) => gstRate === 0);

/**
 * What the law calls the document: a bill of supply instead of a tax invoice for exempt supplies (CGST Act s.31(3)(c)), and one document for both
 * kinds where the recipient is not registered (Rule 46A).
 */
export function titleOf(of: Of, { supplyType }: Pick<DecidedTax, 'supplyType'>): InvoiceTitle {
  const { type } = of.document;
  if (type === 'CRN') return 'Credit note';
  if (type === 'DBN') return 'Debit note';
  if (isOfExempt(of)) return 'Bill of supply';
  return isMixed(of) && supplyType === 'B2C' ? 'Invoice-cum-bill of supply' : 'Tax invoice';
}
