import { expect, test } from 'vitest';
import { lastCreditNoteDay, needsIrn } from '#domain/document.ts';

test.each([
  ['2026-04-01', '2027-11-30'],
  ['2027-03-31', '2027-11-30'],
  ['2027-04-01', '2028-11-30'],
])('an invoice of %s can be credited until %s', (invoiceDay, last) => {
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
