import { expect, test } from './product.ts';

/** What no line of any log may hold, whatever was done before: this test runs after all others. */
const secrets: [string, RegExp][] = [
  ['an API key', /gstk_(live|test)_\w{8}/],
  ['an identity token', /eyJ[\w-]{10,}\.[\w-]{10,}/],
  ['a session token', /bearer +[\w-]{20,}/i],
  ['the payment provider’s secrets', /rzp_sandbox_secret|whsec_\w/],
  ['the database’s password', /postgres(ql)?:\/\/[^:]+:(?!\[hidden\])[^@\s]+@/],
  ['a card number', /\b4100 ?2800 ?0000 ?1007\b/],
  ['the signature of a download link', /signature=[0-9a-f]{16}/],
];

test('nothing secret is in anything that was written', ({ product }) => {
  const written = product.logs();
  expect(written.length).toBeGreaterThan(1000);
  for (const [what, pattern] of secrets) expect(pattern.exec(written)?.[0], what).toBeUndefined();
});
