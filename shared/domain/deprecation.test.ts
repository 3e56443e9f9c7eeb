import { expect, test } from 'vitest';
import { type Deprecation, deprecationHeaders, deprecationId, deprecationMatcher } from './deprecation.ts';

const old: Deprecation = { of: 'v1', since: '2026-11-01', sunset: '2027-05-01', note: 'Use v2.' };

test('deprecation headers have the formats of RFC 9745 and RFC 8594, by days of India', () => {
  expect(deprecationHeaders([old], 'https://portal.example/reference/x')).toEqual([
    ['Deprecation', '@1793471400'],
    ['Sunset', 'Fri, 30 Apr 2027 18:30:00 GMT'],
    ['Link', '<https://portal.example/reference/x>; rel="deprecation"; type="text/html"'],
    ['Link', '<https://portal.example/reference/x>; rel="sunset"; type="text/html"'],
  ]);
  expect(new Date(1_793_471_400_000).toISOString()).toBe('2026-10-31T18:30:00.000Z');
});

test('of several deprecations of one call the earliest days apply', () => {
  const sooner: Deprecation = {
    of: 'product',
    since: '2026-12-01',
    sunset: '2027-01-01',
    note: 'x',
    link: 'https://a.example/',
  };
  const headers = deprecationHeaders([old, sooner], 'https://p.example/');
  expect(headers.slice(0, 2)).toEqual([
    ['Deprecation', '@1793471400'],
    ['Sunset', 'Thu, 31 Dec 2026 18:30:00 GMT'],
  ]);
  expect(headers.filter(([name]) => name === 'Link')).toHaveLength(4);
  expect(deprecationHeaders([], 'https://p.example/')).toEqual([]);
});

test.each([
  ['product', 'POST', '/anything', true],
  ['v1', 'GET', '/v1/shops?x=1', true],
  ['v1', 'GET', '/v1', true],
  ['v1', 'GET', '/v1?x=1', true],
  ['v1', 'GET', '/v10/shops', false],
  ['GET /v1/shops/{id}', 'GET', '/v1/shops/7?x=1', true],
  ['GET /v1/shops/{id}', 'HEAD', '/v1/shops/7', true],
  ['GET /v1/shops/{id}', 'POST', '/v1/shops/7', false],
  ['GET /v1/shops/{id}', 'GET', '/v1/shops', false],
])('%s: is %s %s deprecated? %s', (of, method, path, expected) => {
  expect(deprecationMatcher({ of })(method, path)).toBe(expected);
});

test('another day makes another deprecation', () => {
  expect(deprecationId(old)).toBe('v1@2026-11-01..2027-05-01');
  expect(deprecationId({ ...old, sunset: undefined })).toBe('v1@2026-11-01');
});
