import { expect, test } from 'vitest';
import { parseLogins } from './e-invoices.ts';

test('logins of several GSTINs are parsed, and a password may have colons', () => {
  expect(parseLogins('27ZZZCA0001A1Z4:one:se:cret, 29ZZZCA0001A1Z0:two:other')).toEqual([
    { gstin: '27ZZZCA0001A1Z4', user: 'one', password: 'se:cret' },
    { gstin: '29ZZZCA0001A1Z0', user: 'two', password: 'other' },
  ]);
  expect(parseLogins('')).toEqual([]);
});

test.each([
  ['27ZZZCA0001A1Z5:one:secret', 'GSTIN:user:password'],
  ['27ZZZCA0001A1Z4:one', 'GSTIN:user:password'],
  ['27ZZZCA0001A1Z4:one:secret,27ZZZCA0001A1Z4:two:secret', 'named twice'],
])('%s is refused, without naming the password', (text, reason) => {
  expect(() => parseLogins(text)).toThrow(reason);
  expect(() => parseLogins(text)).not.toThrow('secret');
});
