import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { gstinCheckCharacter, parseGstin, stateOfGstin } from '#shared/domain/gstin.ts';

/** Published examples of the check character, and numbers based on PANs that very likely do not exist. */
const valid = `
  27AAPFU0939F1ZV 27AAGCG4576J1Z6 27AAGCG4576JBZW 27AAACI1681G1ZP 29AAACI1681G1ZL 07AAACI1681G1ZR 37AAACI1681G2ZN
  38AAALS7119L1ZH 36AAACI1681G1ZQ 26AAACI1681G1ZR 24AAUPV7468F1ZW 33AAACC1206D1ZN 27AAACR5055K1Z7 27AADCB2923M1ZL
  05AAACG2115R1ZN 24AAACJ3770E2ZV 25AAACI1681G1ZT 29AABCF8078M2ZW 27AAJCS5738D1Z6 36AASFP8573D2ZN
  27ZZZCA0001A1Z4 29ZZZCA0001A1Z0 07ZZZCA0001A1Z6 33ZZZCA0001A1ZB 24ZZZCA0001A1ZA 06ZZZCA0001A1Z8 09ZZZCA0001A1Z2
  19ZZZCA0001A1Z1 36ZZZCA0001A1Z5 37ZZZCA0001A1Z3 32ZZZCA0001A1ZD 26ZZZCA0001A1Z6 38ZZZCA0001A1Z1 97ZZZCA0001A1ZX
  04ZZZCA0001A1ZC 29ZZZCA0001A2ZZ 27ZZZPA0002B1ZA 27ZZZFA0003C2ZR`
  .trim()
  .split(/\s+/);

test.each(valid)('%s is a normal number', (gstin) => {
  expect(parseGstin(gstin)).toMatchObject({ valid: true, gstin, kind: 'normal', pan: gstin.slice(2, 12) });
});

test.each([
  ['29AABCF8078M1C8', 'tax_collector', 'AABCF8078M'],
  ['27ZZZCA0001A1CF', 'tax_collector', 'ZZZCA0001A'],
  ['06DELI09652G1DA', 'tax_deductor', null],
  ['27AAFT56212B1DO', 'tax_deductor', null],
  ['27ZZZCA0001A1DD', 'tax_deductor', 'ZZZCA0001A'],
  ['0717UNO00157UNO', 'un_body_or_embassy', null],
  ['0717UNO00154UNU', 'un_body_or_embassy', null],
  ['9917SGP29001OST', 'online_service_abroad', null],
])('%s is of the kind %s', (gstin, kind, pan) => {
  expect(parseGstin(gstin)).toMatchObject({ valid: true, kind, pan });
});

test.each([
  ['0717ABC12345NR', 'non_resident'],
  ['27MUMA12345B1Z', 'government'],
])('%s with its check character is of the kind %s', (first14, kind) => {
  expect(parseGstin(first14 + gstinCheckCharacter(first14))).toMatchObject({ valid: true, kind, pan: null });
});

test.each([
  ['27AAPFU0939F1ZO', 'V'],
  ['27AAGCG4576J1Z8', '6'],
  ['25AAACI1681G1Z4', 'T'],
  ['29AABCT1332L1Z5', 'A'],
  ['24AAKCS9119K1Z1', 'X'],
  ['09AAACR5055K1Z4', '5'],
  ['29GGGGG1314R9Z6', 'A'],
])('%s should end in %s', (gstin, expected) => {
  const actual = gstin.charAt(14);
  expect(parseGstin(gstin)).toMatchObject({ valid: false, faults: [{ code: 'check_character', expected, actual }] });
});

test('a state that does not exist is reported', () => {
  const fault = { code: 'state', stateCode: '47' };
  expect(parseGstin('47AAGCG4576J1A6')).toMatchObject({ valid: false, faults: [fault] });
  expect(parseGstin('00AAAAA0001A1ZT')).toMatchObject({ valid: false, faults: [{ code: 'state', stateCode: '00' }] });
  expect(parseGstin('96ZZZCA0001A1ZZ')).toMatchObject({ valid: false, faults: [{ code: 'state', stateCode: '96' }] });
});

test('the most copied sample on the web fails for its PAN, which cannot exist', () => {
  expect(parseGstin('22AAAAA0000A1Z5')).toMatchObject({ valid: false, faults: [{ code: 'pan', pan: 'AAAAA0000A' }] });
});

test.each(['02AMBPG7773M002', '36AMBPG7773M002', '37ARZPT4384Q1MT', '29AWGPV7107B1Z1', '05ABNTY3290P8ZB'])(
  '%s of the e-invoice sandbox is not a real number',
  (gstin) => {
    expect(parseGstin(gstin).valid).toBe(false);
  },
);

test('reports the first position that breaks the format', () => {
  expect(parseGstin('27AAPFUO939F1ZV')).toMatchObject({ faults: [{ code: 'shape', position: 8 }] });
  expect(parseGstin('27AAPFU0939F0ZV')).toMatchObject({ faults: [{ code: 'shape', position: 13 }] });
  expect(parseGstin('27AAPFU0939F1XV')).toMatchObject({ faults: [{ code: 'shape', position: 14 }] });
});

test('wrong length and wrong characters are reported separately', () => {
  expect(parseGstin('27AAPFU0939F1Z')).toMatchObject({ faults: [{ code: 'length', length: 14 }] });
  expect(parseGstin('')).toMatchObject({ faults: [{ code: 'length', length: 0 }] });
  expect(parseGstin('27AAPFU 939F-ZV')).toMatchObject({ faults: [{ code: 'characters', positions: [8, 13] }] });
  expect(parseGstin('27AAPFU०939F1ZV')).toMatchObject({ faults: [{ code: 'characters', positions: [8] }] });
});

test('lower-case letters and surrounding spaces are accepted, look-alikes of other alphabets are not', () => {
  expect(parseGstin(' 27aapfu0939f1zv\n')).toMatchObject({ valid: true, gstin: '27AAPFU0939F1ZV' });
  expect(parseGstin('27AAACı1681G1ZP')).toMatchObject({ faults: [{ code: 'characters', positions: [7] }] });
});

test('the state of a valid number is found, of an invalid number none', () => {
  expect(stateOfGstin('38AAALS7119L1ZH')?.name).toBe('Ladakh');
  expect(stateOfGstin('38AAALS7119L1ZX')).toBeUndefined();
});

const alphabet = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const character = fc.constantFrom(...alphabet);
const first14 = fc.array(character, { minLength: 14, maxLength: 14 }).map((characters) => characters.join(''));

test('the check character changes with every single wrong character', () => {
  fc.assert(
    fc.property(first14, fc.nat(13), character, (text, at, other) => {
      const wrong = text.slice(0, at) + other + text.slice(at + 1);
      expect(gstinCheckCharacter(wrong) === gstinCheckCharacter(text)).toBe(wrong === text);
    }),
  );
});

test('the check character changes with every swap of neighbours except 0 with Z', () => {
  fc.assert(
    fc.property(first14, fc.nat(12), (text, at) => {
      const [one, other] = [text.charAt(at), text.charAt(at + 1)];
      const swapped = text.slice(0, at) + other + one + text.slice(at + 2);
      const blind = one === other || [one, other].toSorted().join('') === '0Z';
      expect(gstinCheckCharacter(swapped) === gstinCheckCharacter(text)).toBe(blind);
    }),
  );
});

test('any text gives a valid result or at least one error with a message', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        first14.map((text) => `${text}A`),
      ),
      (text) => {
        const result = parseGstin(text);
        expect(result.valid || (result.faults[0]?.message ?? '')).not.toBe('');
      },
    ),
  );
});
