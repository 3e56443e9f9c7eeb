import { expect, test } from 'vitest';
import { purchaseOrderOfSale } from './purchase-order.ts';

const ofProfile = { number: 'PO-1', date: '2026-11-03' };

test.each([
  ['what the order says', { number: 'PO-2', date: null }, { number: 'PO-2', date: null }],
  ['nothing where the order says so on purpose', { number: '', date: null }, undefined],
  ['what the business details say where the order says nothing', { number: null, date: null }, ofProfile],
])('a sale names %s', (_what, ordered, named) => {
  expect(purchaseOrderOfSale(ordered, ofProfile)).toEqual(named);
});

test('a sale names nothing where neither order nor business details say anything', () => {
  expect(purchaseOrderOfSale({ number: null, date: null }, undefined)).toBeUndefined();
});
