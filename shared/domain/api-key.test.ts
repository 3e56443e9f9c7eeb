import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32, isWellFormedApiKey, keyHint, keyNameFault, makeApiKey, typedKeyName } from '#shared/domain/api-key.ts';

test.each([
  [
    'gstk_live_0000000000000000000000000000002C8GjS',
    'c7496916ac48f870893ae42c17d615241578d79b01081514929c36a01498072f',
  ],
  [
    'gstk_live_AbCdEfGhIjKlMnOpQrStUvWxYz01232piBxe',
    '7be2198fc0f623654b672ca6c83e4ac5a2d9bb61ed984283f16e4c39c1c78113',
  ],
  [
    'gstk_live_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz4IlJEz',
    '25f3e0ce1fad8356572c47f9763919d324a14a6825c4b423bf7629176c86b45f',
  ],
])('%s is well-formed and stored as %s', (key, hash) => {
  expect(isWellFormedApiKey(key)).toBe(true);
  expect(createHash('sha256').update(key).digest('hex')).toBe(hash);
});

test('the prefix distinguishes test keys from live ones, and both are well-formed', () => {
  const bytes = Uint8Array.from({ length: 40 }, (_, index) => index);
  const key = makeApiKey(bytes, true);
  expect(key.replace('_test_', '_live_')).toBe(makeApiKey(bytes));
  expect(isWellFormedApiKey(key)).toBe(true);
  expect(isWellFormedApiKey(key.replace('_test_', '_best_'))).toBe(false);
});

test('CRC-32 matches the standard one', () => {
  expect(crc32('123456789')).toBe(0xcbf43926);
});

test('every generated key is well-formed, and changing any one character breaks it', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 120, maxLength: 120 }),
      fc.nat(45),
      fc.constantFrom('a', 'Z', '0', '9', '_', '-'),
      (bytes, at, other) => {
        fc.pre([...bytes].filter((byte) => byte < 248).length >= 30);
        const key = makeApiKey(bytes);
        expect(isWellFormedApiKey(key)).toBe(true);
        expect(keyHint(key)).toBe(key.slice(-4));
        fc.pre(key[at] !== other);
        expect(isWellFormedApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
      },
    ),
  );
});

test('bytes that would bias characters are skipped, and too few bytes are refused', () => {
  expect(() => makeApiKey(new Uint8Array(200).fill(250))).toThrow(RangeError);
  expect(makeApiKey(Uint8Array.from([...Array.from({ length: 50 }, () => 255), ...new Uint8Array(30)]))).toMatch(
    /^gstk_live_0{30}/,
  );
});

test.each([
  ['abc12', undefined],
  ['a', undefined],
  ['abcdef', 'Key name must be 5 characters or less'],
  ['ab-c', 'Key name must be lowercase alphanumeric only'],
  ['ABC', 'Key name must be lowercase alphanumeric only'],
  ['', 'Please enter a valid key name (lowercase, max 5 characters, alphanumeric)'],
])('the key name "%s": %s', (name, fault) => {
  expect(keyNameFault(name)).toBe(fault);
});

test('input is lowercased and cut to five characters', () => {
  expect(typedKeyName('ProdKey')).toBe('prodk');
});
