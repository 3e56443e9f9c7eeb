import { expect, test, vi } from 'vitest';
import { chooseLanguage, language, translateKnown } from '#web/language/language.ts';
import { texts } from '#web/language/texts.ts';

vi.stubGlobal('document', { documentElement: { lang: '' }, fonts: { load: async () => [] } });

let wanted = 0;
const words = texts(
  (t) => ({
    pay: t('Pay now'),
    keys: (count: number) => t('{count, plural, one {# key} other {# keys}}', { count }),
    steps: { open: t('Open it') },
  }),
  async () => {
    wanted += 1;
    return {
      'Pay now': 'अभी चुकाएँ',
      '{count, plural, one {# key} other {# keys}}': '{count, plural, one {# कुंजी} other {# कुंजियाँ}}',
    };
  },
);

test('texts follow the language, and the other one is loaded only when it is chosen', async () => {
  expect([words.pay, words.keys(1), words.keys(1_23_456), wanted]).toEqual(['Pay now', '1 key', '1,23,456 keys', 0]);
  await chooseLanguage('hi');
  expect([words.pay, words.keys(1), words.keys(1_23_456), wanted]).toEqual(['अभी चुकाएँ', '1 कुंजी', '1,23,456 कुंजियाँ', 1]);
  expect([language(), document.documentElement.lang]).toEqual(['hi', 'hi-IN']);
  expect(words.steps.open, 'without Hindi it stays English').toBe('Open it');
  expect(translateKnown('Pay now')).toBe('अभी चुकाएँ');
  expect(translateKnown('{not ours'), 'an unknown text of the server is left unchanged').toBe('{not ours');
  await chooseLanguage('en');
  expect([words.pay, document.documentElement.lang]).toEqual(['Pay now', 'en-IN']);
});

test('while a catalogue cannot be had, the language stays', async () => {
  let online = false;
  const late = texts(
    (t) => ({ late: t('Late') }),
    async () => {
      if (!online) throw new Error('offline');
      return { Late: 'देर' };
    },
  );
  await expect(chooseLanguage('hi')).rejects.toThrow('offline');
  expect([language(), late.late]).toEqual(['en', 'Late']);
  online = true;
  await chooseLanguage('hi');
  expect(late.late).toBe('देर');
  await chooseLanguage('en');
});
