import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDocumentNumber, isDocumentNumber } from '#shared/domain/document-number.ts';

test('invoices and credit notes have their own series', () => {
  expect(formatDocumentNumber('TPX', '26-27', 1)).toBe('TPX/26-27/000001');
  expect(formatDocumentNumber('TPX', '26-27', 1, { letter: 'C', digits: 4 })).toBe('TPX/26-27/C0001');
  expect(formatDocumentNumber('A', '26-27', 12_345_678)).toBe('A/26-27/12345678');
});

test.each(['TPX/26-27/000001', 'a', '0', '1-/', 'INV2026'])('%j is a document number', (text) => {
  expect(isDocumentNumber(text)).toBe(true);
});

test.each(['', 'TPX/26-27/0000001', 'INV_1', '/1', '-1', 'INV 1', 'INV1\n', 'बिल1', 'INV.1'])(
  '%j is not a document number',
  (text) => {
    expect(isDocumentNumber(text)).toBe(false);
  },
);

test('a number that would break Rule 46(b) is refused, not cut', () => {
  expect(() => formatDocumentNumber('TPXX', '26-27', 1)).toThrow(RangeError);
  expect(() => formatDocumentNumber('TPX', '26-27', 1_000_000)).toThrow(RangeError);
  expect(() => formatDocumentNumber('T_X', '26-27', 1)).toThrow(RangeError);
  expect(() => formatDocumentNumber('TPX', '26-27', 0)).toThrow(RangeError);
  expect(() => formatDocumentNumber('TPX', '26-27', 1.5)).toThrow(RangeError);
});

test('numbers of one series are distinct and have at most 16 characters', () => {
  const sequence = fc.integer({ min: 1, max: 999_999 });
  fc.assert(
    fc.property(sequence, sequence, (one, other) => {
      const first = formatDocumentNumber('TPX', '26-27', one);
      expect(first.length).toBeLessThanOrEqual(16);
      expect(first === formatDocumentNumber('TPX', '26-27', other)).toBe(one === other);
    }),
  );
});
