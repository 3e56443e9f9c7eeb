import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rupeesInWords } from '#shared/domain/rupee-words.ts';

test.each([
  [117_882, 'Rupees One Thousand One Hundred Seventy-Eight and Paise Eighty-Two Only'],
  [10_000_000, 'Rupees One Lakh Only'],
  [
    1_234_567_890,
    'Rupees One Crore Twenty-Three Lakh Forty-Five Thousand Six Hundred Seventy-Eight and Paise Ninety Only',
  ],
  [100_000_000_000, 'Rupees One Hundred Crore Only'],
  [0, 'Rupees Zero Only'],
  [5, 'Rupees Zero and Paise Five Only'],
  [2_000, 'Rupees Twenty Only'],
  [100_000_000_000_000, 'Rupees One Lakh Crore Only'],
])('%d paise is %j', (paise, words) => {
  expect(rupeesInWords(paise)).toBe(words);
});

test('a negative or fractional amount is refused', () => {
  expect(() => rupeesInWords(-1)).toThrow(RangeError);
  expect(() => rupeesInWords(1.5)).toThrow(RangeError);
  expect(() => rupeesInWords(Number.MAX_SAFE_INTEGER + 1)).toThrow(RangeError);
});

test('different amounts have different words', () => {
  const amount = fc.integer({ min: 0, max: 999_999_999_999 });
  fc.assert(
    fc.property(amount, amount, (one, other) => {
      expect(rupeesInWords(one) === rupeesInWords(other)).toBe(one === other);
    }),
  );
});

test('the words have no gaps and no missing parts', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (paise) => {
      expect(rupeesInWords(paise)).toMatch(
        /^Rupees (?:[A-Z][a-z]+(?:-[A-Z][a-z]+)? )+(?:and Paise [A-Z][a-z]+(?:-[A-Z][a-z]+)? )?Only$/,
      );
    }),
  );
});
