import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonTokens } from '#web/features/marketplace/json-tokens.ts';

test('keys, strings and other values are distinguished', () => {
  const kinds = jsonTokens('{ "a": "b\\"c", "d": -1.5, "e": [true, null] }')
    .filter(({ kind }) => kind !== 'between')
    .map(({ text, kind }) => `${kind} ${text}`);
  expect(kinds).toEqual(['key "a"', 'string "b\\"c"', 'key "d"', 'value -1.5', 'key "e"', 'value true', 'value null']);
});

test('no letter of the text is lost', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(
        jsonTokens(text)
          .map((token) => token.text)
          .join(''),
      ).toBe(text);
    }),
  );
});
