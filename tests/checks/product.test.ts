import { expect, test } from 'vitest';
import { markFaults, readRules, ruleFaults } from './product-rules.ts';

const row = (id: string, cell: string) => `| ${id} | Keys have names | | ${cell} |`;
const page = (...rows: string[]) =>
  `## 1. Keys\n\n| Rule | What it says | Fixed text | Shown by |\n|---|---|---|---|\n${rows.join('\n')}\n`;
const code = `
test('a key has a name', () => {});
test.each([
  [1, 'one'],
])('%i reads %s', () => {});
for (const name of names) test(\`\${name} has a page\`, () => {});
// test('a test that is commented out', () => {});
`;
const read = (file: string) => (file === 'web/keys.test.ts' ? code : undefined);
const shown = '`web/keys.test.ts` › a key has a name';
const faults = (...rows: string[]) => ruleFaults(readRules(page(...rows)), read);

test('accepts rules in order whose tests all exist', () => {
  expect(faults(row('1.1', shown))).toEqual([]);
  expect(
    faults(row('1.1', `${shown}<br>\`web/keys.test.ts\` › %i reads %s`), row('1.2', shown), row('2.1', shown)),
  ).toEqual([]);
  expect(faults(row('1.1', '`web/keys.test.ts` › ${name} has a page'))).toEqual([]);
});

test('reports a missing test or file, a rule without a test, and a page without rules', () => {
  expect(faults(row('1.1', '`web/keys.test.ts` › a key had a name'))).toEqual([
    'docs/product.md:5: web/keys.test.ts has no test “a key had a name”',
  ]);
  expect(faults(row('1.1', '`web/keys.test.ts` › a test that is commented out'))).toHaveLength(1);
  expect(faults(row('1.1', '`web/gone.test.ts` › a key has a name'))).toEqual([
    'docs/product.md:5: there is no file web/gone.test.ts',
  ]);
  expect(faults(row('1.1', 'manually checked'))).toEqual(['docs/product.md:5: no test shows rule 1.1']);
  expect(ruleFaults(readRules('# Nothing'), read)).toEqual(['docs/product.md has no rules']);
});

test.each([
  ['a number left out', ['1.1', '1.3']],
  ['a number used twice', ['1.1', '1.1']],
  ['a chapter left out', ['1.1', '3.1']],
  ['a chapter that starts late', ['1.1', '2.2']],
])('reports %s', (_what, ids) => {
  expect(faults(...ids.map((id) => row(id, shown)))).toEqual([`docs/product.md:6: rule ${ids[1]} is out of order`]);
});

test('accepts a mark of an existing rule or chapter, and reports one that is missing or outside', () => {
  const rules = readRules(page(row('1.1', shown), row('1.2', shown)));
  const of = (text: string) => markFaults('a.ts', text, rules);
  expect(of('// Keys have names (product §1.1, §1.2), see product §1.')).toEqual([]);
  expect(of('// product §1.1, §1.3')).toEqual(['a.ts: docs/product.md has no rule 1.3']);
  expect(of('// product §2')).toEqual(['a.ts: docs/product.md has no rule 2']);
  expect(of('// a key has a name (spec §5)')).toHaveLength(1);
  expect(of('// never kept for nothing (D10, product §1.1)')).toHaveLength(1);
  expect(of("expect(numberOf('A/26-27/D01'))")).toEqual([]);
});
