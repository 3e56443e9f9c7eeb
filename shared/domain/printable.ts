import { fontCoverage } from './font-coverage.ts';

/** Drawn by every font, or not drawn at all. */
const spacing = '\\t\\n\\r';

const classOf = (ranges: string): string =>
  `[${spacing}${ranges.replaceAll(/[0-9a-f]+/g, (code) => `\\u{${code}}`).replaceAll(' ', '')}]`;

const first = new RegExp(`^${classOf(fontCoverage[0] ?? '')}*$`, 'u');
const families = fontCoverage.map((ranges) => new RegExp(classOf(ranges), 'u'));
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Stands on paper for a character that no font has. */
const substitute = '\uFFFD';

/** How many characters a font has of a letter with its signs, from its beginning. They are drawn in one font: the one that has most of them. */
function drawnOf(cluster: readonly string[]): number {
  const counts = families.map((family) => {
    const lacking = cluster.findIndex((character) => !family.test(character));
    return lacking === -1 ? cluster.length : lacking;
  });
  return Math.max(...counts);
}

/** Segmenting one long text takes the square of its length. */
const pieceLength = 256;

/** The letters of a text, each with its signs, as lists of characters. */
function clustersOf(text: string): string[][] {
  const clusters: string[][] = [];
  for (let from = 0; from < text.length;) {
    const segments = Array.from(segmenter.segment(text.slice(from, from + pieceLength)), ({ segment }) => segment);
    // The last letter of a piece may go on in the next.
    const whole = from + pieceLength < text.length && segments.length > 1 ? segments.slice(0, -1) : segments;
    for (const segment of whole) clusters.push(Array.from(segment));
    from += whole.join('').length;
  }
  return clusters;
}

/** The first character of a text that the fonts of documents can't draw; undefined when they draw them all. */
export function unprintableIn(text: string): string | undefined {
  if (first.test(text)) return undefined;
  for (const cluster of clustersOf(text)) {
    const lacking = cluster[drawnOf(cluster)];
    if (lacking !== undefined) return lacking;
  }
  return undefined;
}

/** The text with a visible substitute for each character that the fonts of documents can't draw. */
export function printed(text: string): string {
  if (first.test(text)) return text;
  const shown = clustersOf(text).flatMap((cluster) => {
    const drawn = drawnOf(cluster);
    return cluster.map((character, index) => (index < drawn ? character : substitute));
  });
  return shown.join('');
}

/** “𑄌” (U+1110C). */
export function namedCharacter(character: string): string {
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0') ?? '';
  return /^[\p{C}\p{M}\p{Z}]/u.test(character) ? `U+${code}` : `“${character}” (U+${code})`;
}

/** What is wrong with a text for a document. */
export function unprintableFault(text: string): string | undefined {
  const character = unprintableIn(text);
  return character === undefined
    ? undefined
    : `Documents can’t show ${namedCharacter(character)}: use Latin, Greek or Cyrillic letters, or a script of India`;
}

/** A rule for a field that documents show: the arguments of Zod's `refine`. */
export const printable = [
  (text: string): boolean => unprintableIn(text) === undefined,
  { error: ({ input }: { input?: unknown }) => unprintableFault(String(input)) ?? 'Documents can’t show this' },
] as const;
