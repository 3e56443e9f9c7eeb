/** A row of docs/conformance.md: a rule, and the tests that show it. */
export interface ConformanceRow {
  line: number;
  rule: string;
  tests: { file: string; name: string }[];
}

/** The rows of its tables; in each the last column names tests as `file` › `name`, several divided by <br>. */
export function readRows(text: string): ConformanceRow[] {
  return text.split('\n').flatMap((row, index) => {
    const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    if (cells.length < 4 || !row.startsWith('|') || /^[-: ]*$/.test(cells[1] ?? '') || cells[1] === 'Rule') return [];
    const tests = [...(cells.at(-2) ?? '').matchAll(/`([^`]+)` › (.+?)(?:<br>|$)/g)].map(
      ([, file = '', name = '']) => ({
        file,
        name: name.trim().replaceAll('\\|', '|'),
      }),
    );
    return [{ line: index + 1, rule: cells[1] ?? '', tests }];
  });
}

/**
 * One sentence for each row without a test, and for each test that is not there.
 * @param read gives a file's text, or undefined when there is none
 */
export function conformanceFaults(
  rows: readonly ConformanceRow[],
  read: (file: string) => string | undefined,
): string[] {
  if (rows.length === 0) return ['docs/conformance.md has no rows'];
  return rows.flatMap(({ line, rule, tests }) => {
    const at = `docs/conformance.md:${line}`;
    if (tests.length === 0) return [`${at}: no test shows “${rule}”`];
    return tests.flatMap(({ file, name }) => {
      const text = read(file);
      if (text === undefined) return [`${at}: there is no file ${file}`];
      return namesOf(text).has(name) ? [] : [`${at}: ${file} has no test “${name}”`];
    });
  });
}

/** The names of a file's tests as they are written there: `${name}` and %s stay what they are. */
function namesOf(source: string): Set<string> {
  const text = source.replaceAll(/^\s*\/\/.*$/gm, '');
  const names = [...text.matchAll(/(?<![\w.])test\s*\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(
    ([, , name = '']) => name,
  );
  const tables = [...text.matchAll(/test\.each[\s\S]*?\]\)?\s*\)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(
    ([, , name = '']) => name,
  );
  return new Set([...names, ...tables].map((name) => name.replaceAll(/\\(['"`])/g, '$1')));
}
