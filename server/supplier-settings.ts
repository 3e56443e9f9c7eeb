import { parseGstin } from '#shared/domain/gstin.ts';
import { namedCharacter, unprintableIn } from '#shared/domain/printable.ts';
import { text } from '#shared/platform/settings.ts';

/** A text that documents show. */
export const printedText = (description: string) =>
  text(description).refine((value) => unprintableIn(value) === undefined, {
    error: ({ input }) => `has ${namedCharacter(unprintableIn(String(input)) ?? '')}, which documents can’t show`,
  });

export const isEmailAddress = (value: string): boolean => /^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(value);

export const addressesIn = (value: string): string[] => value.split(',').map((address) => address.trim());

/** One address, or several for one more reader. */
export const printedEmail = (description: string) =>
  printedText(description).refine(
    (value) => addressesIn(value).every(isEmailAddress),
    'must be an e-mail address, or several separated by commas',
  );

/** However it is written, also in the digits of Hindi; the shortest numbers have three. */
export const printedPhone = (description: string) =>
  printedText(description).refine((value) => /(?:\p{Nd}\P{Nd}*){3}/u.test(value), 'must be a telephone number');

/** The supplier, as documents name it. */
export const supplierSettings = {
  supplierName: printedText('Legal name on invoices').default('Octroi Sample Private Limited'),
  supplierGstin: text('GSTIN on invoices')
    .default('27ZZZCA0001A1Z4')
    .refine((value) => parseGstin(value).valid, 'must be a valid GSTIN'),
  supplierAddress: printedText('Address on invoices').default('1 MG Road, Andheri, Mumbai 400053'),
  supplierCity: text('City of that address, for e-invoices').default('Mumbai'),
  supplierPin: text('PIN code of that address, for e-invoices')
    .default('400053')
    .refine((value) => /^[1-9]\d{5}$/.test(value), 'must have six digits'),
  supplierSignatory: printedText('Signatory of documents, by name or office').default('Authorised signatory'),
  supplierUdyam: text(
    'Udyam number on invoices that are paid later, if you are registered as a micro, small or medium enterprise',
  )
    .refine(
      (value) => /^UDYAM-[A-Z]{2}-\d{2}-\d{7}$/.test(value),
      'must be a Udyam number, such as UDYAM-MH-01-0000001',
    )
    .optional(),
  supplierCin: text('Corporate identity number on documents, if you are a company')
    .refine(
      (value) => /^[LU]\d{5}[A-Z]{2}\d{4}[A-Z]{3}\d{6}$/.test(value),
      'must be a CIN, such as U72900MH2020PTC123456',
    )
    .optional(),
  supplierEmail: printedEmail('E-mail address on documents; SUPPORT_EMAIL if not set').optional(),
  supplierPhone: printedPhone('Telephone on documents; SUPPORT_PHONE if not set').optional(),
};
