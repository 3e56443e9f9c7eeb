import { expect, test } from './product.ts';

/** What no log line may contain after any test: this test runs last. */
const secrets: [string, RegExp][] = [
  ['an API key', /gstk_(live|test)_\w{8}/],
  ['an identity token', /eyJ[\w-]{10,}\.[\w-]{10,}/],
  ['a session token', /bearer +[\w-]{20,}/i],
  ['the payment provider’s secrets', /rzp_sandbox_secret|whsec_\w/],
  ['the database’s password', /postgres(ql)?:\/\/[^:]+:(?!\[hidden\])[^@\s]+@/],
  ['a card number', /\b4100 ?2800 ?0000 ?1007\b/],
  ['the signature of a download link', /signature=[0-9a-f]{16}/],
];

test('no secret was written to any log', ({ product }) => {
  const written = product.logs();
  expect(written.length).toBeGreaterThan(1000);
  for (const [what, pattern] of secrets) expect(pattern.exec(written)?.[0], what).toBeUndefined();
});
