import { expect, test } from 'vitest';
import { looksSecret } from './secret-looking.ts';

test.each([
  'GOCSPX-kLm0nOpQ9rStUvWz',
  'kLm0nOpQ9rStUvWzAb',
  'AGE-SECRET-KEY-1QQPQYZ',
  'a1b2c3d4e5f60718',
  'postgres://octroi:hunter2@db/octroi',
  'https://kaveri.in/hook?token=1',
  'user@kaveri.in, kLm0nOpQ9rStUvWz',
])('%s could be a secret', (value) => expect(looksSecret(value)).toBe(true));

test.each([
  '4000',
  'production',
  'Kaveri APIs Private Limited',
  '29ZZZCA0001A1Z0',
  'https://portal.octroi.in',
  '/var/lib/octroi/AbCdEf123456',
  '10.0.0.0/8, 2001:db8::/32',
  'octroi-local.apps.googleusercontent.com',
  'age1qyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgp',
  '+91 80 1234 5678',
])('%s is none', (value) => expect(looksSecret(value)).toBe(false));
