import { expect, test } from 'vitest';
import { claimsBeside } from '#web/features/account/login/identity-claims.ts';

function tokenOf(payload: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  const base64 = btoa(String.fromCharCode(...bytes));
  return `e30.${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.c2ln`;
}

test('the fields come from the token, letters of all alphabets included', () => {
  const token = tokenOf({
    sub: '1147',
    name: 'Žófie अनन्या',
    email: 'a@b.example',
    given_name: 'Žófie',
    picture: 'https://p.example/1',
  });
  expect(claimsBeside(token)).toEqual({
    id: '1147',
    name: 'Žófie अनन्या',
    email: 'a@b.example',
    givenName: 'Žófie',
    picture: 'https://p.example/1',
  });
});

test.each(['', 'x', 'a.b.c', tokenOf({ name: 'no subject' }), tokenOf(null), tokenOf({ sub: 7 })])(
  'an unreadable token returns nothing: %j',
  (token) => {
    expect(claimsBeside(token)).toEqual({});
  },
);
