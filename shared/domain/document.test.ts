import { expect, test } from 'vitest';
import { documentFileName, lastCreditNoteDay, needsIrn, referenceOf, titleOf } from '#shared/domain/document.ts';
import { testDocument } from '#shared/domain/test-document.ts';

test.each([
  ['2026-04-01', '10-31', '2027-10-31'],
  ['2027-03-31', '10-31', '2027-10-31'],
  ['2027-04-01', '10-31', '2028-10-31'],
  ['2026-04-01', '11-30', '2027-11-30'],
] as const)('an invoice of %s can be credited until %s of the next year: %s', (invoiceDay, end, last) => {
  expect(lastCreditNoteDay(invoiceDay, end)).toBe(last);
});

test('the invoice of an exempt supply is a bill of supply, and its credit note names it so', () => {
  const bill = testDocument({ gstRateBasisPoints: 0 });
  expect(titleOf(referenceOf(bill))).toBe('Bill of supply');
  expect(documentFileName(referenceOf(bill))).toBe('bill-of-supply-OCT-26-27-000001.pdf');
  expect(titleOf(referenceOf(testDocument()))).toBe('Tax invoice');
  expect(titleOf(referenceOf(testDocument({ kind: 'CREDIT_NOTE', gstRateBasisPoints: 0 })))).toBe('Credit note');
  // An export under a letter of undertaking is zero-rated, not exempt.
  expect(titleOf(referenceOf(testDocument({ recipient: { kind: 'overseas', underLut: true } })))).toBe('Tax invoice');
});

test('invoices and credit notes to businesses are registered; vouchers and sales to consumers are not', () => {
  const taxed = { gstRateBasisPoints: 1800 };
  expect(needsIrn('INVOICE', { ...taxed, supplyType: 'B2B' })).toBe(true);
  expect(needsIrn('CREDIT_NOTE', { ...taxed, supplyType: 'SEZWOP' })).toBe(true);
  expect(needsIrn('INVOICE', { ...taxed, supplyType: 'EXPWP' })).toBe(true);
  expect(needsIrn('INVOICE', { ...taxed, supplyType: 'B2C' })).toBe(false);
  expect(needsIrn('RECEIPT_VOUCHER', { ...taxed, supplyType: 'B2B' })).toBe(false);
  expect(needsIrn('REFUND_VOUCHER', { ...taxed, supplyType: 'B2B' })).toBe(false);
});

test('bills of supply and commercial credit notes are not registered', () => {
  for (const kind of ['INVOICE', 'CREDIT_NOTE'] as const)
    for (const supplyType of ['B2B', 'EXPWOP'] as const)
      expect(needsIrn(kind, { gstRateBasisPoints: 0, supplyType })).toBe(false);
  expect(needsIrn('CREDIT_NOTE', { gstRateBasisPoints: 1800, supplyType: 'B2B', withoutTax: true })).toBe(false);
});
