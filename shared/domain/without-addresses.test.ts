import { expect, test } from 'vitest';
import { withoutAddresses } from './without-addresses.ts';

test.each([
  ['550 5.1.1 <asha@kaveri.in>: Recipient address rejected', '550 5.1.1 <…>: Recipient address rejected'],
  ['451 4.7.1 asha+x@kaveri.in, try later', '451 4.7.1 …, try later'],
  ['plan a: customers asha@kaveri.in ravi@kaveri.in → all', 'plan a: customers … … → all'],
  ['nothing to see @ 5', 'nothing to see @ 5'],
])('addresses are taken out of %s', (text, left) => {
  expect(withoutAddresses(text)).toBe(left);
});
