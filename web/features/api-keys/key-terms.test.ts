import { expect, test } from 'vitest';
import { draftOf, noTerms, termsOf } from '#web/features/api-keys/key-terms.ts';

const today = '2026-11-21';

test('an empty form binds a key to nothing', () => {
  expect(termsOf(noTerms, today)).toEqual({ terms: { expiresAt: null, allowedIps: [], dailyCap: null } });
});

test('a key works to the end of its last day in India, and the form shows that day again', () => {
  const read = termsOf({ lastDay: '2026-12-31', allowedIps: '203.0.113.0/24\n2001:db8::1', dailyCap: '500' }, today);
  const terms = { expiresAt: '2026-12-31T18:30:00.000Z', allowedIps: ['203.0.113.0/24', '2001:db8::1'], dailyCap: 500 };
  expect(read).toEqual({ terms });
  expect(draftOf(terms)).toEqual({ lastDay: '2026-12-31', allowedIps: '203.0.113.0/24\n2001:db8::1', dailyCap: '500' });
});

test.each([
  ['lastDay', { lastDay: '2026-11-20' }],
  ['allowedIps', { allowedIps: '203.0.113.300' }],
  ['allowedIps', { allowedIps: '203.0.113.7, everywhere' }],
  ['tooManyIps', { allowedIps: Array.from({ length: 51 }, (_, index) => `10.0.0.${index}`).join('\n') }],
  ['dailyCap', { dailyCap: '0' }],
  ['dailyCap', { dailyCap: '1.5' }],
])('the form says that %s is wrong', (fault, part) => {
  expect(termsOf({ ...noTerms, ...part }, today)).toEqual({ fault });
});
