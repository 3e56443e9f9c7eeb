import { expect, test } from 'vitest';
import { tokenOf } from './token.ts';

const token = 'a'.repeat(43);

test.each([`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`])(
  'the session token is read from Authorization whatever the case of its scheme (RFC 9110 §11.1): %s',
  (authorization) => {
    expect(tokenOf({ headers: { authorization } })).toBe(token);
  },
);

test.each([undefined, '', token, `Basic ${token}`, `Bearer${token}`, 'Bearer short', `Bearer ${token} more`])(
  'there is no session token in %j',
  (authorization) => {
    expect(tokenOf({ headers: { authorization } })).toBe('');
  },
);
