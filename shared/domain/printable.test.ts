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
