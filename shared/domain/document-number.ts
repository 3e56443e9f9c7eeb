/** Rule 46(b), CGST Rules 2017: at most 16 characters, letters, digits, hyphen and slash. */
export const documentNumberMaxLength = 16;

/** How far ahead the Invoicing API numbers documents; a restore stops the series of as many days (Rule 46(b)). */
export const numberedDaysAhead = 366;

const allowed = /^[A-Za-z0-9][A-Za-z0-9/-]{0,15}$/;

/** True when a text may be the serial number of a tax invoice, a credit note or a debit note. */
export function isDocumentNumber(text: string): boolean {
  return allowed.test(text);
}

/**
 * `letter` distinguishes series with one prefix (`C`, `RA`; '' for none); `digits` is the minimum width of the number.
 */
export type DocumentSeries = { letter: string; digits: number };

/**
 * Builds a document number, `TPX/26-27/000001`. The number must be unique within the financial year, so it contains the
 * short form of the year (`26-27`). Throws a RangeError when the number is not a whole number from 1, or when the
 * result would break Rule 46(b): the operator then has to choose a shorter prefix.
 */
export function formatDocumentNumber(
  prefix: string,
  shortFinancialYear: string,
  sequence: number,
  series: DocumentSeries = { letter: '', digits: 6 },
): string {
  if (!Number.isSafeInteger(sequence) || sequence < 1) {
    throw new RangeError(`A document's sequence number must be a whole number from 1, got ${sequence}.`);
  }
  const text = `${prefix}/${shortFinancialYear}/${series.letter}${String(sequence).padStart(series.digits, '0')}`;
  if (!isDocumentNumber(text)) {
    throw new RangeError(
      `'${text}' cannot be a document number: Rule 46(b) allows 1 to ${documentNumberMaxLength} letters, digits, '-' and '/'.`,
    );
  }
  return text;
}
