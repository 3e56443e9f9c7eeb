import type { DocumentKind } from '#domain/document.ts';
import { documentNumberMaxLength, type DocumentSeries } from '#domain/document-number.ts';

/** One series of a kind of document in a financial year. It counts from 1 to `last`, always with `digits` digits. */
export interface NumberedSeries extends DocumentSeries {
  /** How the database knows it: `INVOICE`, then `INVOICE A`. */
  name: string;
  last: number;
}

/** Characters behind prefix and year: letters of the series, then digits. */
const widestTail = 6;

/** The longest prefix with which every possible number has at most 16 characters (Rule 46(b)): 3. */
export const longestPrefix = documentNumberMaxLength - '/26-27/'.length - widestTail;

/** Second letters of a series; I and O look like digits. */
const secondLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/** `first`: the series that every year begins with. `more`: the letters of the kind's further series; no letter has two owners. */
const letters: Record<DocumentKind, { first: DocumentSeries; more: string }> = {
  INVOICE: { first: { letter: '', digits: 6 }, more: 'ABDEGHJKL' },
  RECEIPT_VOUCHER: { first: { letter: 'R', digits: 4 }, more: 'STUWXYZ' },
  REFUND_VOUCHER: { first: { letter: 'V', digits: 4 }, more: 'PQ' },
  CREDIT_NOTE: { first: { letter: 'C', digits: 4 }, more: 'MN' },
};

/**
 * The series of a kind, in the order in which a financial year fills them (product §6.5). The law allows several, each consecutive in
 * itself (CGST Rule 46(b), 49, 50, 51, 53). After the first come those of one letter and five digits, then those of two
 * letters and four digits. The table `document_series_forms` holds the same.
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

/** How far a kind's numbers of a year have come: `place` of the current series in `seriesOfKind`, and its last number. */
export interface NumbersTaken {
  place: number;
  lastNumber: number;
}

/** What is left of a kind's numbers in a year. */
export function numbersLeft(kind: DocumentKind, taken: NumbersTaken): number {
  const series = seriesOfKind[kind];
  const all = series.slice(taken.place).reduce((sum, { last }) => sum + last, 0);
  return Math.max(0, all - taken.lastNumber);
}

/** The share of a series, or of all series of a kind, at which the operator is told. */
const toldAt = 0.8;

/** Has a kind used 80 % of all numbers that a year has for it? */
export function runsShort(kind: DocumentKind, taken: NumbersTaken): boolean {
  const all = seriesOfKind[kind].reduce((sum, { last }) => sum + last, 0);
  return all - numbersLeft(kind, taken) >= toldAt * all;
}

/**
 * What the operator is told when this number has just been given: `note` when a series reaches 80 %, `alarm` when the kind
 * reaches 80 % of all numbers of the year or of its last series; undefined for every other number.
 */
export function newsOfNumber(kind: DocumentKind, taken: NumbersTaken): 'note' | 'alarm' | undefined {
  const series = seriesOfKind[kind];
  const current = series[taken.place];
  const before = { ...taken, lastNumber: taken.lastNumber - 1 };
  if (runsShort(kind, taken) && !runsShort(kind, before)) return 'alarm';
  if (current === undefined || taken.lastNumber !== Math.ceil(toldAt * current.last)) return undefined;
  return taken.place === series.length - 1 ? 'alarm' : 'note';
}

/** Everything of a number but its digits, `OCT/26-27/C`: numbers of one series have it in common. */
export function stemOf(number: string): string {
  return number.replace(/\d+$/, '');
}
