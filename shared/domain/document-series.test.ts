import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DocumentKind } from '#shared/domain/document.ts';
import { formatDocumentNumber, isDocumentNumber } from '#shared/domain/document-number.ts';
import {
  longestPrefix,
  newsOfNumber,
  numbersLeft,
  runsShort,
  seriesOfKind,
  stemOf,
} from '#shared/domain/document-series.ts';

const kinds: DocumentKind[] = ['INVOICE', 'RECEIPT_VOUCHER', 'REFUND_VOUCHER', 'CREDIT_NOTE'];
const everySeries = kinds.flatMap((kind) => seriesOfKind[kind].map((series, place) => ({ kind, place, ...series })));
const anySeries = fc.nat(everySeries.length - 1).map((index) => everySeries[index] ?? failed());
const anyNumber = fc
  .tuple(anySeries, fc.nat())
  .map(([series, seed]) => ({ series, sequence: 1 + (seed % series.last) }));

const allOf = (kind: DocumentKind) => numbersLeft(kind, { place: 0, lastNumber: 0 });

function failed(): never {
  throw new Error('no such series');
}

test('every possible number has at most 16 allowed characters, and a prefix one character longer would not fit', () => {
  expect(longestPrefix).toBe(3);
  for (const series of everySeries) {
    expect(isDocumentNumber(formatDocumentNumber('OCT', '26-27', 1, series))).toBe(true);
    expect(isDocumentNumber(formatDocumentNumber('OCT', '26-27', series.last, series))).toBe(true);
  }
  const lengths = everySeries.map((series) => formatDocumentNumber('OCT', '26-27', series.last, series).length);
  expect(Math.max(...lengths)).toBe(16);
});

test('no two numbers of a year are equal, whatever their kind, series and position', () => {
  fc.assert(
    fc.property(anyNumber, anyNumber, (one, other) => {
      const first = formatDocumentNumber('OCT', '26-27', one.sequence, one.series);
      const second = formatDocumentNumber('OCT', '26-27', other.sequence, other.series);
      const same = one.series.name === other.series.name && one.sequence === other.sequence;
      expect(first === second).toBe(same);
      expect(stemOf(first) === stemOf(second)).toBe(one.series.name === other.series.name);
    }),
  );
  expect(new Set(everySeries.map(({ letter }) => letter)).size).toBe(everySeries.length);
});

test('numbers of one series sort as text in the order of their assignment', () => {
  fc.assert(
    fc.property(anyNumber, fc.nat(), ({ series, sequence }, seed) => {
      const other = 1 + (seed % series.last);
      const one = formatDocumentNumber('OCT', '26-27', sequence, series);
      const two = formatDocumentNumber('OCT', '26-27', other, series);
      expect(one < two).toBe(sequence < other);
      expect(one).toHaveLength(two.length);
    }),
  );
});

test('a year has numbers for more than two million invoices and as many advances', () => {
  expect(allOf('INVOICE')).toBe(999_999 + 9 * 99_999 + 9 * 24 * 9_999);
  expect(allOf('RECEIPT_VOUCHER')).toBe(9_999 + 7 * 99_999 + 8 * 24 * 9_999);
  expect(allOf('CREDIT_NOTE')).toBe(9_999 + 2 * 99_999 + 3 * 24 * 9_999);
});

test('the operator gets a note at 80 % of each series, and an alarm at 80 % of the year and of the last series', () => {
  const last = seriesOfKind.CREDIT_NOTE.length - 1;
  expect(newsOfNumber('CREDIT_NOTE', { place: 0, lastNumber: 8000 })).toBe('note');
  expect(newsOfNumber('CREDIT_NOTE', { place: 0, lastNumber: 8001 })).toBeUndefined();
  expect(newsOfNumber('CREDIT_NOTE', { place: last, lastNumber: 8000 })).toBe('alarm');
  const all = allOf('CREDIT_NOTE');
  const place = seriesOfKind.CREDIT_NOTE.findIndex((_, index) =>
    runsShort('CREDIT_NOTE', { place: index + 1, lastNumber: 1 }),
  );
  const leftBefore = numbersLeft('CREDIT_NOTE', { place, lastNumber: 0 });
  const first = Math.ceil(0.8 * all) - (all - leftBefore);
  expect(newsOfNumber('CREDIT_NOTE', { place, lastNumber: first - 1 })).toBeUndefined();
  expect(newsOfNumber('CREDIT_NOTE', { place, lastNumber: first })).toBe('alarm');
  expect(newsOfNumber('CREDIT_NOTE', { place, lastNumber: first + 1 })).toBeUndefined();
});

test('numbers run short from 80 % of the year on, and the last one is the end', () => {
  const last = seriesOfKind.INVOICE.length - 1;
  expect(runsShort('INVOICE', { place: 0, lastNumber: 999_999 })).toBe(false);
  expect(runsShort('INVOICE', { place: last, lastNumber: 1 })).toBe(true);
  expect(numbersLeft('INVOICE', { place: last, lastNumber: 9_998 })).toBe(1);
  expect(numbersLeft('INVOICE', { place: last, lastNumber: 9_999 })).toBe(0);
});
