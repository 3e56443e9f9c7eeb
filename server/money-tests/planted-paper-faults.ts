import { copyDocuments, jsonIn } from '#server/test/copied-document.ts';
import { ofCycle, planted, type PlantedFault } from './planted-faults.ts';

const fault = (what: string, plant: () => string[], says: RegExp): PlantedFault => ({ what, plant, says });
const drop = (...constraints: string[]) =>
  constraints.map((constraint) => `alter table documents drop constraint ${constraint}`);
const invoice = (): string => `cycle_id = '${planted.paid}'`;
const voucher = (): string => `cycle_id = '${planted.upcoming}'`;
const creditNote = `kind = 'CREDIT_NOTE'`;

/** Planted faults of documents and their numbers. */
export const plantedPaperFaults: readonly PlantedFault[] = [
  fault(
    'an advance no longer waits for its invoice',
    () => [`delete from open_vouchers where cycle_id = '${planted.upcoming}'`],
    /voucher \S+ does not wait for its invoice/,
  ),
  fault(
    'a credit note is of another registration of the supplier than its invoice',
    () => [
      `update documents set content = jsonb_set(content, '{supplier,gstin}', '"29ZZZCA0001A1Z0"') where ${creditNote}`,
    ],
    /document \S+ is not of the registration of document/,
  ),
  fault(
    'a credit note of years later takes back tax',
    () => [`update documents set content = jsonb_set(content, '{item,fromDate}', '"2020-01-01"') where ${creditNote}`],
    /credit note \S+ takes back tax after 30 November/,
  ),
  fault(
    'a paid cycle has no document',
    () => [`delete from documents where ${voucher()}`],
    /was paid without a document over its price/,
  ),
  fault(
    'a document in the middle of a series is gone',
    () => [`delete from documents where ${invoice()}`],
    /series INVOICE of \S+ has the last number 11 and 10 documents/,
  ),
  fault(
    'the last number of a series was taken and not used',
    () => [`update document_series set last_number = last_number + 1 where series = 'INVOICE'`],
    /series INVOICE of \S+ has the last number 12 and 11 documents/,
  ),
  fault(
    'one number of a series is on two documents and the next is left out',
    () => [
      ...drop('documents_series_financial_year_sequence_key'),
      'drop index documents_begin_once',
      copyDocuments(
        jsonIn({ id: 'DOC-X', number: 'X/26-27/R0003', sequence: 3 }),
        `kind = 'RECEIPT_VOUCHER' and sequence = 2`,
      ),
      `update documents set sequence = 1 where kind = 'RECEIPT_VOUCHER' and sequence = 2`,
      `update document_series set last_number = 3 where series = 'RECEIPT_VOUCHER'`,
    ],
    /series RECEIPT_VOUCHER of \S+ has the last number 3 and 2 documents/,
  ),
  fault(
    'one number is on two documents',
    () => [
      ...drop('documents_number_key'),
      `update documents set number = (select min(number) from documents where kind = 'INVOICE') where kind = 'INVOICE'`,
    ],
    /number \S+ is on 11 documents/,
  ),
  fault(
    'a number does not match its position in the series',
    () => [`update documents set number = number || '7' where ${voucher()}`],
    /document \S+ is not in a series of its year/,
  ),
  fault(
    'a document is in the series of another year',
    () => [
      `update documents set financial_year = '2019-20' where kind = 'INVOICE'`,
      `update document_series set financial_year = '2019-20' where series = 'INVOICE'`,
    ],
    /is not in a series of its year/,
  ),
  fault(
    'a document is older than the one before it',
    () => [
      `update documents set issued_at = issued_at - interval '1 hour', issued_on = ((issued_at - interval '1 hour') at time zone 'Asia/Kolkata')::date
       where kind = 'INVOICE' and sequence = 2`,
    ],
    /is older than the one before it/,
  ),
  fault(
    'a document has another amount than its cycle',
    () => [
      `update documents set total_paise = total_paise + 100, taxable_paise = taxable_paise + 100 where ${invoice()}`,
    ],
    /has documents over \d+ and the ledger keeps \d+/,
  ),
  fault(
    'a document does not add up',
    () => [...drop('documents_check1'), `update documents set igst_paise = igst_paise + 1 where ${invoice()}`],
    /does not add up/,
  ),
  fault(
    'a document shows another tax than its columns',
    () => [`update documents set content = jsonb_set(content, '{split,cgstPaise}', '1') where ${invoice()}`],
    /has columns that differ from its content/,
  ),
  fault(
    'a document names a payment that was refunded',
    () => [`update documents set payment_id = '${planted.latePayment}' where ${invoice()}`],
    /names a payment that did not pay for its cycle/,
  ),
  fault(
    'a document is another customer’s',
    () => [`update documents set customer_id = '${planted.other}' where ${invoice()}`],
    /names a payment that did not pay for its cycle/,
  ),
  fault(
    'a cycle has two invoices',
    () => [
      'drop index documents_begin_once',
      ...drop('documents_series_financial_year_sequence_key', 'documents_number_key'),
      copyDocuments(jsonIn({ id: 'DOC-X' }), invoice()),
    ],
    /has 2 first documents/,
  ),
  fault(
    'a refund has no credit note',
    () => [`delete from documents where ${creditNote}`],
    /refund \S+ has no document over its amount/,
  ),
  fault(
    'a credit note names the invoice of another cycle',
    () => [`update documents set refers_to = (select id from documents where ${invoice()}) where ${creditNote}`],
    /does not match the document it refers to/,
  ),
  fault(
    'an invoice is credited twice',
    () => [
      ...drop('documents_series_financial_year_sequence_key', 'documents_number_key'),
      copyDocuments(jsonIn({ id: 'DOC-X' }), `${creditNote} and ${ofCycle(planted.givenBack)}`),
    ],
    /is credited or refunded with \d+/,
  ),
  fault(
    'one byte of a PDF is changed',
    () => [
      'alter table document_files drop constraint document_files_check',
      'update document_files set pdf = set_byte(pdf, 900, 255 - get_byte(pdf, 900))',
    ],
    /the PDF of \S+ has changed/,
  ),
  fault(
    'a PDF exists although the document is not registered',
    () => [`update documents set needs_irn = true where ${invoice()}`],
    /has a PDF but no registration/,
  ),
];
