import { expect, test } from 'vitest';
import { createLocationRewriter } from './rewrite-locations.ts';

const at = (address: string, value: string) => createLocationRewriter(address, 'tax-lookup')(['Location', value])[1];

test.each([
  ['http://10.0.0.5:8080', 'http://10.0.0.5:8080/v1/jobs/7?x=1#y', '/tax-lookup/v1/jobs/7?x=1#y'],
  ['http://10.0.0.5:8080', '/v1/jobs/7', '/tax-lookup/v1/jobs/7'],
  ['http://10.0.0.5:8080', '//10.0.0.5:8080/v1/jobs/7', '/tax-lookup/v1/jobs/7'],
  ['http://10.0.0.5:8080', 'HTTPS://10.0.0.5:8080/v1/jobs/7', '/tax-lookup/v1/jobs/7'],
  ['http://user:word@api.internal/base/', 'http://api.internal/base/v1/a', '/tax-lookup/v1/a'],
  ['http://api.internal/base', 'http://user:word@API.internal/base/v1/a', '/tax-lookup/v1/a'],
  ['http://api.internal/base', 'http://api.internal/admin', '/admin'],
  ['http://api.internal/base', '/base/v1/a', '/tax-lookup/v1/a'],
  ['http://api.internal', 'jobs/7', 'jobs/7'],
  ['http://api.internal', '?page=2', '?page=2'],
  ['http://api.internal', 'https://files.example/report.pdf', 'https://files.example/report.pdf'],
  ['http://api.internal', 'mailto:a@b.example', 'mailto:a@b.example'],
  ['file:products/a.js', '/v1/a', '/tax-lookup/v1/a'],
])('for an API at %s, rewrites the location %s to %s', (address, value, rewritten) => {
  expect(at(address, value)).toBe(rewritten);
});

test('leaves other headers unchanged', () => {
  const head = ['Content-Type', 'text/html', 'Link', '</v1/a>; rel="next"', 'content-location', '/v1/b'];
  expect(createLocationRewriter('http://api.internal', 'tax-lookup')(head)).toEqual([
    ...head.slice(0, 5),
    '/tax-lookup/v1/b',
  ]);
});
