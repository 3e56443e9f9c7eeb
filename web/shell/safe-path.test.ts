import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { loginPath, pathAfterLogin, safePath } from '#web/shell/safe-path.ts';

const origin = 'https://portal.example';

test('a path of the portal keeps its query and fragment', () => {
  expect(safePath('/activations/ACT-7K2M9QX4/billing?add=1#x', '/marketplace')).toBe(
    '/activations/ACT-7K2M9QX4/billing?add=1#x',
  );
});

test.each([
  null,
  undefined,
  '',
  'marketplace',
  'https://evil.example/x',
  'javascript:alert(1)',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e%2e//evil.example',
  '///evil.example',
  ' //evil.example',
])('%j falls back', (candidate) => {
  expect(safePath(candidate, '/marketplace')).toBe('/marketplace');
});

const slashes = fc.array(
  fc.constantFrom('/', '\\', '.', '..', '\t', '\n', '%2f', '%2e', '@', ':', 'https:', 'evil.example', '?', '#', ' '),
  {
    maxLength: 12,
  },
);

test('whatever is put in, 100,000 strings, the origin stays ours', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        slashes.map((parts) => parts.join('')),
        slashes.map((parts) => `/${parts.join('')}`),
      ),
      (candidate) => {
        const path = safePath(candidate, '/marketplace');
        // Parsing it again changes nothing: the checked path is where the browser will go.
        return path.startsWith('/') && new URL(path, origin).origin === origin && safePath(path, '/elsewhere') === path;
      },
    ),
    { numRuns: 100_000 },
  );
});

test('the way through the sign-in page leads back to the place that was asked for', () => {
  const place = { pathname: '/api/ACT-7K2M9QX4', search: '?tab=keys&x=%26' };
  const redirect = new URL(loginPath(place), origin).searchParams.get('redirect');
  expect(pathAfterLogin(redirect)).toBe(place.pathname + place.search);
});

test.each(['/login', '/login?redirect=%2Flogin', '/', '', null])(
  'after a sign-in, %j leads to the marketplace',
  (redirect) => {
    expect(pathAfterLogin(redirect)).toBe('/marketplace');
  },
);
