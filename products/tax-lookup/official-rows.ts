/** Defects of the official list and their repairs, each with the affected codes. */
export interface RowRepairs {
  /** Goods with 1, 3, 5 or 7 digits: a spreadsheet took the code for a number and dropped its leading zero. */
  zeroPutBack: string[];
  /** Codes with spaces, dots or other punctuation between the digits. */
  signsRemoved: string[];
  /** Descriptions with line ends or `_x000D_`, as Excel writes a carriage return. */
  lineEndsRemoved: string[];
  /** Codes with two descriptions; the longer one is kept. */
  doubled: string[];
  /** Codes without a description; they are valid but have no text. */
  withoutDescription: string[];
  /** Rows without a code. */
  skipped: string[];
}

export interface SheetRows {
  kind: 'goods' | 'services';
  /** Code and description, as in the spreadsheet. */
  rows: readonly (readonly [code: unknown, description: unknown])[];
}

/** Builds a clean list of codes from the rows of the official spreadsheet, in code order. */
export function repairRows(sheets: readonly SheetRows[]): { descriptions: Map<string, string>; repairs: RowRepairs } {
  const repairs: RowRepairs = {
    zeroPutBack: [],
    signsRemoved: [],
    lineEndsRemoved: [],
    doubled: [],
    withoutDescription: [],
    skipped: [],
  };
  const found = new Map<string, string>();
  for (const { kind, rows } of sheets) {
    for (const [rawCode, rawDescription] of rows) {
      const code = cleanCode(textOf(rawCode), kind, repairs);
      if (code === null) continue;
      const description = cleanDescription(textOf(rawDescription), code, repairs);
      const before = found.get(code);
      if (before !== undefined) repairs.doubled.push(code);
      found.set(code, before !== undefined && before.length > description.length ? before : description);
    }
  }
  const descriptions = new Map([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  repairs.withoutDescription.push(...[...descriptions].filter(([, text]) => text === '').map(([code]) => code));
  return { descriptions, repairs };
}

function textOf(cell: unknown): string {
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : '';
}

/** Services begin with 99 and have 2, 4, 5 or 6 digits; goods have an even number of digits. */
function cleanCode(raw: string, kind: SheetRows['kind'], repairs: RowRepairs): string | null {
  const given = raw.trim();
  const digits = given.replaceAll(/[\s._\u00a0-]|x000D/gi, '');
  const code = kind === 'goods' && digits.length % 2 === 1 ? `0${digits}` : digits;
  const valid = kind === 'goods' ? /^(?!99)\d{2}(?:\d{2}){0,3}$/ : /^99(?:\d{2,4})?$/;
  if (!valid.test(code)) {
    if (given !== '') repairs.skipped.push(given);
    return null;
  }
  if (digits !== given) repairs.signsRemoved.push(code);
  if (code !== digits) repairs.zeroPutBack.push(code);
  return code;
}

/** One line of text; `~` separates a heading from its sub-headings. */
function cleanDescription(raw: string, code: string, repairs: RowRepairs): string {
  if (/[\r\n]|_x000D_/i.test(raw)) repairs.lineEndsRemoved.push(code);
  return raw
    .replaceAll(/_x000D_/gi, ' ')
    .split('~')
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .filter((part) => part !== '')
    .join(' › ');
}
