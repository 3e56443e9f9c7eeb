import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fontFamilies } from '#shared/paper/fonts.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { charactersOfFont } from './font-characters.ts';
import { report } from './report.ts';

/** Writes (`--write`) or verifies shared/domain/font-coverage.ts: the characters that the fonts of documents have. */

/** Control characters, private use, and the byte order mark, which PDF/A refuses. */
const notText = /[\p{Cc}\p{Co}\p{Cs}\uFEFF]/u;
/** Signs above and below letters, and joiners: each family has its own. */
const attached = /[\p{M}\u200C\u200D]/u;

function charactersIn(folder: string): ReadonlySet<number> {
  const name = readdirSync(folder).find((each) => each.endsWith('.ttf')) ?? '';
  return charactersOfFont(readFileSync(join(folder, name)));
}

/** The characters that all weights of a family have. */
function charactersOf(folders: readonly string[]): number[] {
  const [first = new Set<number>(), ...others] = folders.map(charactersIn);
  return [...first]
    .filter((code) => others.every((other) => other.has(code)) && !notText.test(String.fromCodePoint(code)))
    .toSorted((a, b) => a - b);
}

/** `41-5a 61-7a`. */
function rangesOf(codes: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const code of codes) {
    const last = ranges.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  return ranges.map(([from, to]) => (from === to ? hex(from) : `${hex(from)}-${hex(to)}`)).join(' ');
}

const hex = (code: number): string => code.toString(16);

function coverageFile(): string {
  const first = new Set(charactersOf(fontFamilies[0]?.folders ?? []));
  const lines = fontFamilies.map(({ name, folders }, index) => {
    const own = charactersOf(folders).filter(
      (code) => index === 0 || !first.has(code) || attached.test(String.fromCodePoint(code)),
    );
    return `  // ${name}\n  '${rangesOf(own)}',\n`;
  });
  return `// Made from the fonts of documents by: npm run font-coverage

/**
 * The characters of each font family, as ranges of hexadecimal numbers. All but the first list only letters that the first lacks, and
 * characters that attach to letters.
 */
export const fontCoverage: readonly string[] = [
${lines.join('')}];
`;
}

const file = projectFolder('shared', 'domain', 'font-coverage.ts');
const wanted = coverageFile();
const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
if (flags.write) writeFileSync(file, wanted);
const isCurrent = existsSync(file) && readFileSync(file, 'utf8') === wanted;
report(
  `font-coverage.ts: ${fontFamilies.length} families`,
  isCurrent ? [] : ['shared/domain/font-coverage.ts does not match the fonts; run: npm run font-coverage'],
);
