import { expect, test } from 'vitest';
import { ruleMessagesOf, textFaults } from './texts-rules.ts';

const file = (path: string, text: string) => ({ path, text });
const english = file(
  'web/features/a/texts.ts',
  "export const a = texts((t) => ({ pay: (x: string) => t('Pay {x}', { x }) }), hindi);",
);
const hindi = (text: string, folder = 'a') =>
  file(`web/features/${folder}/texts.hi.ts`, `export const hindi = { ${text} };`);

test('accepts a text with its Hindi', () => {
  expect(textFaults([english, hindi("'Pay {x}': '{x} चुकाएँ'")], {})).toEqual([]);
});

test('reports a text without Hindi, and Hindi that no code uses', () => {
  expect(textFaults([english, hindi("Gone: 'गया'")], {})).toEqual([
    "web/features/a/texts.hi.ts has no 'Pay {x}' (web/features/a/texts.ts).",
    "web/features/a/texts.hi.ts has 'Gone', which no code uses.",
  ]);
});

test('a translation has the values of its text, also inside plurals', () => {
  expect(textFaults([english, hindi("'Pay {x}': 'चुकाएँ'")], {})).toHaveLength(1);
  const keys = file('web/features/a/texts.ts', "t('{n, plural, one {# key of {who}} other {# keys of {who}}}', x);");
  const translation = hindi("'{n, plural, one {# key of {who}} other {# keys of {who}}}': '{who} की {n} कुंजियाँ'");
  expect(textFaults([keys, translation], {})).toEqual([]);
});

test('one English text has one Hindi translation', () => {
  const again = file('web/features/b/texts.ts', english.text);
  const files = [english, again, hindi("'Pay {x}': '{x} चुकाएँ'"), hindi("'Pay {x}': '{x} दें'", 'b')];
  expect(textFaults(files, {})).toHaveLength(1);
});

test('messages of the rules need their Hindi too', () => {
  const rules = file(
    'shared/contract/a.ts',
    "z.string().min(1, 'Enter the city'); z.string().regex(/x/, 'A PIN code'); f({ error: 'Too long here' });",
  );
  expect(ruleMessagesOf(rules)).toEqual(['Enter the city', 'A PIN code', 'Too long here']);
  expect(textFaults([], { 'web/features/a': ['Enter the city'] })).toHaveLength(1);
});

test.each([
  ['<p>Pay now</p>', 1],
  ['<img alt="A picture" />', 1],
  ['<p>{texts.pay} · <code>npm start</code></p>', 0],
  ['<nav aria-label={texts.main} className="wide" />', 0],
])('%s has %i untranslated texts', (markup, faults) => {
  expect(textFaults([file('web/ui/a.tsx', `export const a = () => ${markup};`)], {})).toHaveLength(faults);
});
