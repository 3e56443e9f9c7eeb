import { expect, test } from 'vitest';
import { documentKinds, lastCreditNoteDay, needsIrn } from '#domain/document.ts';
import { formatDocumentNumber } from '#domain/document-number.ts';

test('every kind has a series of its own, and each fits 16 characters up to its last number', () => {
  const letters = Object.values(documentKinds).map(({ series }) => series.letter);
  expect(new Set(letters).size).toBe(letters.length);
  for (const { series } of Object.values(documentKinds)) {
    const last = series.letter === '' ? 999_999 : 99_999;
    expect(formatDocumentNumber('OCT', '26-27', last, series)).toHaveLength(16);
    expect(() => formatDocumentNumber('OCT', '26-27', last + 1, series)).toThrow(RangeError);
  }
});

test.each([
  ['2026-04-01', '2027-11-30'],
  ['2027-03-31', '2027-11-30'],
  ['2027-04-01', '2028-11-30'],
])('an invoice of %s is credited until %s', (invoiceDay, last) => {
  expect(lastCreditNoteDay(invoiceDay)).toBe(last);
});

test('invoices and credit notes to businesses are registered; vouchers and sales to consumers are not', () => {
  expect(needsIrn('INVOICE', 'B2B')).toBe(true);
  expect(needsIrn('CREDIT_NOTE', 'SEZWOP')).toBe(true);
  expect(needsIrn('INVOICE', 'EXPWP')).toBe(true);
  expect(needsIrn('INVOICE', 'B2C')).toBe(false);
  expect(needsIrn('RECEIPT_VOUCHER', 'B2B')).toBe(false);
  expect(needsIrn('REFUND_VOUCHER', 'B2B')).toBe(false);
});
