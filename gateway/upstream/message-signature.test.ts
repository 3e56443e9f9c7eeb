import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signMessage, signRequest } from './message-signature.ts';

test('signs like the example of RFC 9421, appendix B.2.5', () => {
  const secret = Buffer.from(
    'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==',
    'base64',
  );
  const signed = signMessage(
    [
      ['date', 'Tue, 20 Apr 2021 02:07:55 GMT'],
      ['@authority', 'example.com'],
      ['content-type', 'application/json'],
    ],
    { label: 'sig-b25', keyId: 'test-shared-secret', secret, created: 1_618_884_473 },
  );
  expect(signed).toEqual([
    'Signature-Input',
    'sig-b25=("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
    'Signature',
    'sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:',
  ]);
});

test.each([
  ['/v1/a', '/v1/a', '?'],
  ['/v1/a?b=c?d', '/v1/a', '?b=c?d'],
])('of %s the path and the query are signed separately', (target, path, query) => {
  const secret = Buffer.from('secret');
  const [, input = '', , signature] = signRequest('GET', target, 'octroi', secret);
  const parameters = input.replace('gateway=', '');
  const base = `"@method": GET\n"@path": ${path}\n"@query": ${query}\n"@signature-params": ${parameters}`;
  expect(signature).toBe(`gateway=:${createHmac('sha256', secret).update(base).digest('base64')}:`);
});
