import { expect, test } from 'vitest';
import { conformanceFaults, readRows } from './conformance-rules.ts';

const table = (cell: string) => `## A section\n\n| Rule | Shown by |\n|---|---|\n| Keys have names | ${cell} |\n`;
const code = `
test('a key has a name', () => {});
test.each([
  [1, 'one'],
])('%i reads %s', () => {});
for (const name of names) test(\`\${name} has a page\`, () => {});
// test('a test that somebody put away', () => {});
`;
const read = (file: string) => (file === 'web/keys.test.ts' ? code : undefined);
const faults = (cell: string) => conformanceFaults(readRows(table(cell)), read);

test('rows whose tests are all there have no fault', () => {
  expect(faults('`web/keys.test.ts` › a key has a name')).toEqual([]);
  expect(faults('`web/keys.test.ts` › %i reads %s<br>`web/keys.test.ts` › ${name} has a page')).toEqual([]);
});

test('a test or a file that is gone, a row without a test, and a page without rows are told', () => {
  expect(faults('`web/keys.test.ts` › a key had a name')).toEqual([
    'docs/conformance.md:5: web/keys.test.ts has no test “a key had a name”',
  ]);
  expect(faults('`web/keys.test.ts` › a test that somebody put away')).toHaveLength(1);
  expect(faults('`web/gone.test.ts` › a key has a name')).toEqual([
    'docs/conformance.md:5: there is no file web/gone.test.ts',
  ]);
  expect(faults('somebody looked at it')).toEqual(['docs/conformance.md:5: no test shows “Keys have names”']);
  expect(conformanceFaults(readRows('# Nothing'), read)).toEqual(['docs/conformance.md has no rows']);
});
