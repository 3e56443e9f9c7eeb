import type { DocumentKind } from '#shared/domain/document.ts';
import { documentNumberMaxLength, type DocumentSeries } from '#shared/domain/document-number.ts';

/** One series of a kind of document in a financial year. It counts from 1 to `last`, always with `digits` digits. */
export interface NumberedSeries extends DocumentSeries {
  /** Its key in the database: `INVOICE`, then `INVOICE A`. */
  name: string;
  last: number;
}

/** Characters after prefix and year: letters of the series, then digits. */
const widestTail = 6;

/** The longest prefix with which every possible number has at most 16 characters (Rule 46(b)): 3. */
export const longestPrefix = documentNumberMaxLength - '/26-27/'.length - widestTail;

/** Second letters of a series; I and O look like digits. */
const secondLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * `first`: the first series of every year. `more`: the letters of the kind's further series; no letter belongs to two
 * kinds.
 */
const letters: Record<DocumentKind, { first: DocumentSeries; more: string }> = {
  INVOICE: { first: { letter: '', digits: 6 }, more: 'ABDEGHJKL' },
  RECEIPT_VOUCHER: { first: { letter: 'R', digits: 4 }, more: 'STUWXYZ' },
  REFUND_VOUCHER: { first: { letter: 'V', digits: 4 }, more: 'PQ' },
  CREDIT_NOTE: { first: { letter: 'C', digits: 4 }, more: 'MN' },
};

/**
 * The series of a kind, in the order in which a financial year uses them (product §6.5). The law allows several, each
 * consecutive in itself (CGST Rule 46(b), 49, 50, 51, 53). After the first come those of one letter and five digits,
 * then those of two letters and four digits. The table `document_series_forms` has the same data.
 */
export const seriesOfKind: Readonly<Record<DocumentKind, readonly NumberedSeries[]>> = {
  INVOICE: listSeries('INVOICE'),
  RECEIPT_VOUCHER: listSeries('RECEIPT_VOUCHER'),
  REFUND_VOUCHER: listSeries('REFUND_VOUCHER'),
  CREDIT_NOTE: listSeries('CREDIT_NOTE'),
};

function listSeries(kind: DocumentKind): NumberedSeries[] {
  const { first, more } = letters[kind];
  const own = first.letter + more;
  const further: DocumentSeries[] = [
    ...more.split('').map((letter) => ({ letter, digits: widestTail - 1 })),
    ...own
      .split('')
      .flatMap((one) => secondLetters.split('').map((two) => ({ letter: one + two, digits: widestTail - 2 }))),
  ];
  return [first, ...further].map(({ letter, digits }, place) => ({
    name: place === 0 ? kind : `${kind} ${letter}`,
    letter,
    digits,
    last: 10 ** digits - 1,
  }));
}

/** The latest number of a kind in a year: `place` of the current series in `seriesOfKind`, and its last number. */
export interface NumbersTaken {
  place: number;
  lastNumber: number;
}

/** How many numbers of a kind are left in a year. */
export function numbersLeft(kind: DocumentKind, taken: NumbersTaken): number {
  const series = seriesOfKind[kind];
  const all = series.slice(taken.place).reduce((sum, { last }) => sum + last, 0);
  return Math.max(0, all - taken.lastNumber);
}

/** The share of a series, or of all series of a kind, at which the operator is notified. */
const toldAt = 0.8;

/** True when a kind has used 80 % of all its numbers of a year. */
export function runsShort(kind: DocumentKind, taken: NumbersTaken): boolean {
  const all = seriesOfKind[kind].reduce((sum, { last }) => sum + last, 0);
  return all - numbersLeft(kind, taken) >= toldAt * all;
}

/**
 * The notification to the operator when this number has just been assigned: `note` when a series reaches 80 %, `alarm`
 * when the kind reaches 80 % of all numbers of the year or of its last series; undefined for every other number.
 */
export function newsOfNumber(kind: DocumentKind, taken: NumbersTaken): 'note' | 'alarm' | undefined {
  const series = seriesOfKind[kind];
  const current = series[taken.place];
  const before = { ...taken, lastNumber: taken.lastNumber - 1 };
  if (runsShort(kind, taken) && !runsShort(kind, before)) return 'alarm';
  if (current === undefined || taken.lastNumber !== Math.ceil(toldAt * current.last)) return undefined;
  return taken.place === series.length - 1 ? 'alarm' : 'note';
}

/** The place of a number in its series: 17 in `OCT/26-27/C0017`. */
export function sequenceOf(number: string): number {
  return Number(number.slice(stemOf(number).length));
}

/** A number without its digits, `OCT/26-27/C`: the same for all numbers of a series. */
export function stemOf(number: string): string {
  return number.replace(/\d+$/, '');
}
