/** A rule of docs/product.md, and the tests that show it. */
export interface ProductRule {
  line: number;
  /** `4.3` */
  id: string;
  tests: { file: string; name: string }[];
}

/**
 * The rules in its tables: rows that start with a number. The last column names tests as `file` › name, separated by
 * <br>.
 */
export function readRules(text: string): ProductRule[] {
  return text.split('\n').flatMap((row, index) => {
    const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const id = cells[1] ?? '';
    if (!row.startsWith('|') || !/^\d+\.\d+$/.test(id)) return [];
    const tests = [...(cells.at(-2) ?? '').matchAll(/`([^`]+)` › (.+?)(?:<br>|$)/g)].map(
      ([, file = '', name = '']) => ({
        file,
        name: name.trim().replaceAll('\\|', '|'),
      }),
    );
    return [{ line: index + 1, id, tests }];
  });
}

/**
 * One sentence for each rule that is out of order or without a test, and for each test that doesn't exist.
 * @param read returns a file's text, or undefined when there is no such file
 */
export function ruleFaults(rules: readonly ProductRule[], read: (file: string) => string | undefined): string[] {
  if (rules.length === 0) return ['docs/product.md has no rules'];
  return rules.flatMap(({ line, id, tests }, index) => {
    const at = `docs/product.md:${line}`;
    const faults = follows(rules[index - 1]?.id, id) ? [] : [`${at}: rule ${id} is out of order`];
    if (tests.length === 0) return [...faults, `${at}: no test shows rule ${id}`];
    return faults.concat(
      tests.flatMap(({ file, name }) => {
        const text = read(file);
        if (text === undefined) return [`${at}: there is no file ${file}`];
        return testNamesOf(text).has(name) ? [] : [`${at}: ${file} has no test “${name}”`];
      }),
    );
  });
}

/** True for the next rule of the chapter, or the first one of the next chapter. */
function follows(before: string | undefined, id: string): boolean {
  const [chapter = 0, rule = 0] = id.split('.').map(Number);
  const [lastChapter = 0, lastRule = 0] = (before ?? '0.0').split('.').map(Number);
  return chapter === lastChapter ? rule === lastRule + 1 : chapter === lastChapter + 1 && rule === 1;
}

/** Marks such as `product §4.3, §6.1` or, for a chapter, `product §4`. */
const mark = /product §\d+(?:\.\d+)?(?:, §\d+(?:\.\d+)?)*/g;
/** Former citations of rules, from before this page existed. */
const outside = /[Ss]pec §\d|\((?:[^()]*\W)?D(?:[1-9]|[12]\d|3[01])\W/g;

/** One sentence for each mark in a file that names a missing rule, and for each that points outside the repository. */
export function markFaults(file: string, text: string, rules: readonly ProductRule[]): string[] {
  const known = new Set(rules.flatMap(({ id }) => [id, id.slice(0, id.indexOf('.'))]));
  const lost = [...text.matchAll(mark)].flatMap(([found]) =>
    [...found.matchAll(/§([\d.]+)/g)].flatMap(([, id = '']) =>
      known.has(id) ? [] : [`${file}: docs/product.md has no rule ${id}`],
    ),
  );
  return lost.concat([...text.matchAll(outside)].map(([found]) => `${file}: “${found}” leads outside the repository`));
}

/** The titles of a file's tests as written in the source: `${name}` and %s stay unchanged. */
function testNamesOf(source: string): Set<string> {
  const text = source.replaceAll(/^\s*\/\/.*$/gm, '');
  const names = [...text.matchAll(/(?<![\w.])test\s*\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(
    ([, , name = '']) => name,
  );
  const tables = [...text.matchAll(/test\.each[\s\S]*?\]\)?\s*\)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(
    ([, , name = '']) => name,
  );
  return new Set([...names, ...tables].map((name) => name.replaceAll(/\\(['"`])/g, '$1')));
}
