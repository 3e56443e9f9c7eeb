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

test.each([
  [
    'Link',
    '</v1/a?page=2>; rel="next", <http://api.internal/v1/a>; rel=first',
    '</tax-lookup/v1/a?page=2>; rel="next", </tax-lookup/v1/a>; rel=first',
  ],
  ['LINK', '<https://docs.example/a>; rel="help"', '<https://docs.example/a>; rel="help"'],
  ['Refresh', '5; url=http://api.internal/v1/jobs/7', '5; url=/tax-lookup/v1/jobs/7'],
  ['refresh', "0;URL='/v1/jobs/7'", "0;URL='/tax-lookup/v1/jobs/7'"],
  ['Refresh', '5', '5'],
  ['content-location', '/v1/b', '/tax-lookup/v1/b'],
])('rewrites %s: %s to %s', (name, value, rewritten) => {
  expect(createLocationRewriter('http://api.internal', 'tax-lookup')([name, value])).toEqual([name, rewritten]);
});

test('leaves other headers unchanged', () => {
  const head = ['Content-Type', 'text/html', 'Lint', '</v1/a>', 'Resolve', '/v1/a', 'x-location-of-it', '/v1/b'];
  expect(createLocationRewriter('http://api.internal', 'tax-lookup')([...head])).toEqual(head);
});
