import { expect, test } from 'vitest';
import type { Document } from '#shared/contract/documents.ts';
import {
  documentSums,
  filterDocuments,
  readDocumentFilter,
  registerDays,
  yearsOf,
} from '#web/features/documents/document-filter.ts';

function document(number: string, kind: Document['kind'], date: string, total: number, gst: number): Document {
  return {
    id: `DOC-${number}`,
    kind,
    exempt: false,
    number,
    date,
    activationId: 'ACT-7K2M9QX4',
    billingCycleId: 'CYC-1',
    desc: 'Growth',
    fromDate: date,
    toDate: date,
    placeOfSupply: '27',
    taxableValue: total - gst,
    cgst: gst / 2,
    sgst: gst / 2,
    utgst: 0,
    igst: 0,
    roundOff: 0,
    total,
    refersTo: kind === 'CREDIT_NOTE' ? 'I1' : null,
    irn: null,
    refused: null,
    cancelled: false,
    revisedOn: null,
    correctable: false,
    download: '',
  };
}

const documents = [
  document('I2', 'INVOICE', '2026-04-01', 499, 76.12),
  document('C1', 'CREDIT_NOTE', '2026-03-31', 1499, 228.66),
  document('R1', 'RECEIPT_VOUCHER', '2026-03-02', 499, 76.12),
  document('I1', 'INVOICE', '2026-03-01', 1499, 228.66),
];
const numbers = (search: string) =>
  filterDocuments(documents, readDocumentFilter(new URLSearchParams(search))).map(({ number }) => number);

test('documents are narrowed by kind, financial year and words, all in the address', () => {
  expect(numbers('')).toEqual(['I2', 'C1', 'R1', 'I1']);
  expect(numbers('kind=INVOICE')).toEqual(['I2', 'I1']);
  expect(numbers('year=2025-26')).toEqual(['C1', 'R1', 'I1']);
  expect(numbers('q=%20i1')).toEqual(['C1', 'I1']);
  expect(numbers('kind=OTHER&year=26')).toHaveLength(4);
});

test('vouchers are in no sum, and credit notes take their tax back', () => {
  expect(documentSums(documents)).toEqual({ invoiced: 1998, credited: 1499, gst: 76.12 });
});

test('an invoice whose registration was cancelled is in no sum: another one replaces it', () => {
  const [invoice] = documents;
  if (!invoice) throw new Error('no document');
  expect(documentSums([...documents, { ...invoice, cancelled: true }])).toEqual(documentSums(documents));
});

test('a register covers the financial year, or everything until today', () => {
  expect(yearsOf(documents)).toEqual(['2026-27', '2025-26']);
  expect(registerDays(documents, '2025-26', '2026-11-21')).toEqual({ from: '2025-04-01', to: '2026-03-31' });
  expect(registerDays(documents, null, '2026-11-21')).toEqual({ from: '2026-03-01', to: '2026-11-21' });
});
