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

/**
 * The most letters and signs of a script of India without anything between them, decomposed. The shaper of the renderer ends its process at a
 * syllable of 256, and what it takes for a syllable has no other bound: no word comes near.
 */
const longestWord = 200;
const ofWord = String.raw`(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])[\p{L}\p{M}\u200C\u200D]`;
const inWord = new RegExp(`^${ofWord}$`, 'u');
/** No character decomposes into more than four. */
const mayBeTooLong = new RegExp(`(?:${ofWord}){${longestWord / 4}}`, 'u');

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

const isPlain = (text: string): boolean => first.test(text) && !mayBeTooLong.test(text);

/** The letters of a text, each with how many of its characters can be drawn. */
function lettersOf(text: string): { cluster: string[]; drawn: number }[] {
  let word = 0;
  return clustersOf(text).map((cluster) => {
    const tooFar = cluster.findIndex((character) => {
      word = inWord.test(character) ? word + character.normalize('NFD').length : 0;
      return word > longestWord;
    });
    const drawn = drawnOf(cluster);
    return { cluster, drawn: tooFar === -1 ? drawn : Math.min(drawn, tooFar) };
  });
}

/** The first character of a text that documents can't show; undefined when they can show them all. */
export function unprintableIn(text: string): string | undefined {
  if (isPlain(text)) return undefined;
  for (const { cluster, drawn } of lettersOf(text)) {
    const lacking = cluster[drawn];
    if (lacking !== undefined) return lacking;
  }
  return undefined;
}

/** The text with a visible substitute for each character that documents can't show. */
export function printed(text: string): string {
  if (isPlain(text)) return text;
  const shown = lettersOf(text).flatMap(({ cluster, drawn }) =>
    cluster.map((character, index) => (index < drawn ? character : substitute)),
  );
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
  if (character === undefined) return undefined;
  return unprintableIn(character) === undefined
    ? `Documents can’t show a word of more than ${longestWord} letters and signs: put a space into it`
    : `Documents can’t show ${namedCharacter(character)}: use Latin, Greek or Cyrillic letters, or a script of India`;
}

/** A rule for a field that documents show: the arguments of Zod's `refine`. */
export const printable = [
  (text: string): boolean => unprintableIn(text) === undefined,
  { error: ({ input }: { input?: unknown }) => unprintableFault(String(input)) ?? 'Documents can’t show this' },
] as const;
