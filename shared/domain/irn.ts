import { createHash } from 'node:crypto';
import { isDocumentNumber } from '#shared/domain/document-number.ts';

/** Invoice, credit note, debit note, as the e-invoice schema (INV-01) abbreviates them. */
export type IrnDocumentType = 'INV' | 'CRN' | 'DBN';

export type IrnParts = {
  supplierGstin: string;
  /** Long form, `2026-27`. */
  financialYear: string;
  documentType: IrnDocumentType;
  documentNumber: string;
};

/** True when the invoice portal accepts the number: Rule 46(b), and not beginning with '0' ('/' and '-' never may). */
export function isIrnDocumentNumber(documentNumber: string): boolean {
  return isDocumentNumber(documentNumber) && !documentNumber.startsWith('0');
}

/**
 * The Invoice Reference Number: SHA-256 in hex over GSTIN, financial year, document type and number without separators.
 * Since 1 June 2025 the number is upper-cased first (GSTN advisory of 4 April 2025), so `inv-1` and `INV-1` are one
 * document. Throws a RangeError for a number that the invoice portal rejects.
 */
export function irnOf({ supplierGstin, financialYear, documentType, documentNumber }: IrnParts): string {
  if (!isIrnDocumentNumber(documentNumber)) {
    throw new RangeError(
      `'${documentNumber}' cannot be registered: 1 to 16 letters, digits, '-', '/', not beginning with 0.`,
    );
  }
  const text = `${supplierGstin}${financialYear}${documentType}${documentNumber.toUpperCase()}`;
  return createHash('sha256').update(text).digest('hex');
}
