import { setupI18n } from '@lingui/core';
import { expect, test } from 'vitest';
import { compiled } from './compile-messages.ts';

test('an English message with values is added to the catalogue, compiled, and one without stays a text', () => {
  const code = compiled("texts((t) => ({ a: t('Plain'), b: t('{n} days left', { n }) }))", '/web/x/texts.ts');
  expect(code).toContain("t('Plain')");
  const [, catalogue = ''] = /addCompiled\((.*)\);\n$/.exec(code) ?? [];
  expect(Object.keys(JSON.parse(catalogue))).toEqual(['{n} days left']);
  const i18n = setupI18n({ locale: 'en', messages: { en: JSON.parse(catalogue) } });
  i18n.setMessagesCompiler(() => {
    throw new Error('It should be compiled by now');
  });
  expect(i18n._('{n} days left', { n: 3 })).toBe('3 days left');
});

test('Hindi messages with values are compiled where they stand', () => {
  const code = compiled("export const hindi = { 'Plain': 'सादा', '{n} left': '{n} शेष' };", '/web/x/texts.hi.ts');
  expect(code).toBe(`export const hindi = { 'Plain': 'सादा', '{n} left': [["n"]," शेष"] };`);
});
