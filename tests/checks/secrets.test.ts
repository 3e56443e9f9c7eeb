import { expect, test } from 'vitest';
import { secretsIn } from './secrets-rules.ts';

test.each([
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----'],
  ['a live Razorpay key', 'RAZORPAY_KEY_ID=rzp_live_Ab3dEf6hIj9lMn'],
  ['a Razorpay test key', 'RAZORPAY_KEY_ID=rzp_test_Ab3dEf6hIj9lMn'],
  ['a Google API key', `key=AIza${'aB3_'.repeat(8)}xyz`],
  ['a GitHub token', `ghp_${'aB3'.repeat(12)}`],
  ['an npm token', `npm_${'aB3'.repeat(12)}`],
  ['a signed token', `eyJ${'a'.repeat(30)}.eyJ${'b'.repeat(30)}.${'c'.repeat(86)}`],
  ['a password', 'postgres://octroi:Xk29dk2Lq0aZ8@db.example/octroi'],
  ['a registry host', 'https://registry.example.org/pkg'],
  ['a resolved address in the lock file', '"resolved": "https://somewhere/x.tgz"'],
  ['a machine path', "cd '/home/asha/octroi'"],
])('reports %s without repeating it', (_what, line) => {
  const faults = secretsIn('a.txt', `first\n${line}\n`);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(/^a\.txt:2 holds /);
  expect(faults[0]).not.toContain(line);
});

test.each([
  'rzp_test_LOCAL000000001',
  'rzp_live_AAAAAAAAAAAAAA',
  'postgres://octroi:password@127.0.0.1/octroi',
  'https://portal.example/home/overview',
  'postgres://octroi:${password}@127.0.0.1:${port}/octroi',
  './web/home/page.tsx',
])('%s is not reported', (line) => {
  expect(secretsIn('a.txt', line)).toEqual([]);
});
