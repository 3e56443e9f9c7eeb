import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvOf, csvRows } from '#shared/domain/csv.ts';

test.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '\nx',
  '＝1+1',
  '＠SUM(A1)',
  '=HYPERLINK("http://evil.example","x")',
])('the text %j is not a formula in a spreadsheet', (text) => {
  const cell = csvOf(['A'], [[text]]).slice('\ufeffA\r\n'.length);
  expect(cell).toMatch(/^"?'/);
});

test('a file begins with a byte order mark, and rows that go on with it have none', () => {
  expect(csvOf(['Größe'], [])).toBe('\ufeffGröße\r\n');
  expect(csvRows([['ä', 1]])).toBe('ä,1\r\n');
});

test('numbers stay numbers, negative ones too', () => {
  expect(csvOf(['A', 'B'], [[-0.01, 1499]])).toBe('\ufeffA,B\r\n-0.01,1499\r\n');
});

/** Reads CSV as defined in RFC 4180. */
function parse(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const match of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

const neutral = (text: string) => (/^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text);

test('any texts survive writing and reading, and no cell begins a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { minLength: 1 }), (rows) => {
      const read = parse(csvOf(['a', 'b'], rows)).slice(1);
      expect(read).toEqual(rows.map((row) => row.map(neutral)));
      expect(read.flat().filter((cell) => /^[=+\-@\t\r\n＝＋－＠]/.test(cell))).toEqual([]);
    }),
  );
});
