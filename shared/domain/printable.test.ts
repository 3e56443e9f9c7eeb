import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printed, unprintableFault, unprintableIn } from './printable.ts';

test('the first character that documents cannot show is named', () => {
  expect(unprintableIn('Kaveri ट्रेडर्स, Καβέρι')).toBeUndefined();
  expect(unprintableIn('Kaveri 🙂 東')).toBe('🙂');
  expect(unprintableFault('東京')).toContain('“東” (U+6771)');
  expect(unprintableFault('a\u0007')).toContain('show U+0007:');
});

test('a sign is drawn in the font of its letter: neither a sign of another script nor a joiner alone breaks a name', () => {
  expect(unprintableIn('ਕ\u093C')).toBe('\u093C');
  expect(unprintableIn('ശ്രീ\u200Dകാർ')).toBeUndefined();
  expect(printed('ক\u093C')).toBe('ক\uFFFD');
});

test('a text has a visible substitute for exactly what cannot be shown, and is then shown as a whole', () => {
  expect(printed('Kaveri 🙂 ট্রেডার্স')).toBe('Kaveri \uFFFD ট্রেডার্স');
  fc.assert(
    fc.property(
      fc
        .array(fc.constantFrom('a', 'क', 'ক', '東', '\u0301', '\u093C', '\u09BC', '\u200D', '🙂'))
        .map((each) => each.join('')),
      (text) => {
        const shown = printed(text);
        expect(unprintableIn(shown)).toBeUndefined();
        expect(shown === text).toBe(unprintableIn(text) === undefined);
      },
    ),
  );
});

test('a letter is read with its signs wherever it is in a long text', () => {
  for (let before = 250; before < 260; before += 1) {
    const text = `${'a'.repeat(before)}ਕ\u093C ${'a'.repeat(300)}`;
    expect(unprintableIn(text)).toBe('\u093C');
    expect(printed(text)).toBe(text.replace('\u093C', '\uFFFD'));
  }
});

test.each([
  ['ಕ', 'ೋ'],
  ['क', 'ौ'],
  ['क', '\u0951'],
  ['क', 'क्'],
  ['क', 'क्\u200D'],
  ['க', 'ோ'],
])('a word of %j and endless %j is shown up to 200 letters and signs', (letter, part) => {
  const word = letter + part.repeat(300);
  expect(unprintableIn(word)).toBeDefined();
  expect(unprintableFault(word)).toContain('a word of more than 200');
  expect(printed(word).replaceAll('\uFFFD', '').normalize('NFD').length).toBeLessThanOrEqual(200);
  expect(unprintableIn(printed(word))).toBeUndefined();
  expect(unprintableIn(`${letter}${part.repeat(20)} `.repeat(20))).toBeUndefined();
});
