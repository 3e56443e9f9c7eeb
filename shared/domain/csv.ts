/** A cell: text, or a number that is written unquoted. */
export type CsvCell = string | number;

/** Tells spreadsheets that a CSV file is UTF-8. */
const byteOrderMark = '\ufeff';

/**
 * A CSV file for a spreadsheet: a byte order mark, then RFC 4180 with \r\n line ends. A text that a spreadsheet would run as a formula (it begins with
 * = + - @, their full-width forms that some spreadsheets take for them, tab, CR or LF) gets an apostrophe in front, so that it stays text; numbers stay numbers.
 */
export function csvOf(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return byteOrderMark + csvRows([columns, ...rows]);
}

/** Further rows of a file that `csvOf` began. */
export function csvRows(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(',')}\r\n`).join('');
}

function cellText(cell: CsvCell): string {
  if (typeof cell === 'number') {
    if (!Number.isFinite(cell)) throw new RangeError(`${cell} is not a finite number`);
    return String(cell);
  }
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
