import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCatalog } from '#catalog/catalog-files.ts';
import { refusalFinder } from '#catalog/refused-calls.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { createRouter } from './routes.ts';

const route = createRouter(readCatalog(projectFolder('ship', 'standins', 'catalog')), {
  upstreams: new Map([['tax-lookup-api', 'http://api.internal/base']]),
  sandboxes: new Map(),
});

/** Encodings of a character that upstreams may decode: plain, and percent-encoded up to three times. */
const encodings = (char: string): string[] => {
  const hex = char.charCodeAt(0).toString(16).padStart(2, '0');
  return [char, `%${hex}`, `%${hex.toUpperCase()}`, `%25${hex}`, `%2525${hex}`];
};
const written = (char: string): fc.Arbitrary<string> => fc.constantFrom(...encodings(char));
const slash = fc.oneof(written('/'), written('\\'));
const parameter = fc.oneof(
  fc.constant(''),
  fc.tuple(written(';'), fc.stringMatching(/^[a-z=0-9]{0,6}$/)).map((parts) => parts.join('')),
);
const padding = fc.constantFrom('', '%00', '%20', '%09', '%2500');
const dots = fc.oneof(
  written('.'),
  fc.tuple(written('.'), written('.')).map((pair) => pair.join('')),
);
const escape = fc.tuple(slash, dots, padding, parameter).map((parts) => parts.join(''));
const segment = fc.stringMatching(/^[a-z0-9]{1,6}$/);

test('rejects every path with a dot segment, in any encoding', () => {
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 2 }), escape, slash, segment, (before, dotted, next, after) => {
      const target = `/tax-lookup/v1${before.map((each) => `/${each}`).join('')}${dotted}${next}${after}`;
      expect(route('GET', target)).toHaveProperty('code');
      expect(route('GET', `/tax-lookup/v1${dotted}`)).toHaveProperty('code');
    }),
    { numRuns: 3000 },
  );
});

test.each([
  '/tax-lookup/v1/..;/health',
  '/tax-lookup/v1/..;a=b/health',
  '/tax-lookup/v1/..#/health',
  '/tax-lookup/v1/a/..#',
  '/tax-lookup/v1/..%23',
  '/tax-lookup/v1/..%3fa=b',
  '/tax-lookup/v1/;/../health',
  '/tax-lookup/v1/a;b/..;c/health',
  '/tax-lookup/v1/%2e%2e%3b/health',
  '/tax-lookup/v1/%252e%252e/health',
  '/tax-lookup/v1/..%5chealth',
  '/tax-lookup/v1/..%00/health',
  '/tax-lookup/v1/%c0%ae%c0%ae/health',
  '/tax-lookup/v1/..%c0%afhealth',
  '/tax-lookup/v1/%e0%80%ae%e0%80%ae/health',
  '/tax-lookup/v1/%u002e%u002e/health',
  '/tax-lookup/v1/%2525252525252e%2525252525252e/health',
])('%s is refused', (target) => {
  expect(route('GET', target)).toMatchObject({ code: 'path-invalid' });
});

test.each([
  '/tax-lookup/v1/files/report.pdf',
  '/tax-lookup/v1/files/..hidden',
  '/tax-lookup/v1/files/a..b/c...',
  '/tax-lookup/v1/items;colour=red/5',
  '/tax-lookup/v1/100%25/a%20b',
  '/tax-lookup/v1/caf%C3%A9/%E0%A4%B9',
  '/tax-lookup/v1/names/%zz',
  '/tax-lookup/v1/ok?next=/../../x;y%2e%2e',
])('%s passes unchanged', (target) => {
  expect(route('GET', target)).toMatchObject({ path: target.replace('/tax-lookup', '/base') });
});

test.each([
  '/tax-lookup/openapi.json?download',
  '/tax-lookup/openapi.json/',
  '/tax-lookup//OpenAPI.json',
  '/tax-lookup/%6fpenapi.json',
  '/tax-lookup/openapi.json;a=b',
  '/tax-lookup/%2Fopenapi.json',
  '/tax-lookup/openapi.json%3Fdownload',
])('%s is the public document, as only the gateway sends it', (target) => {
  expect(route('GET', target)).toMatchObject({ isOpenApi: true });
});

test('the document of an upstream is public under its own path too, and nothing else is', () => {
  const { products } = readCatalog(projectFolder('ship', 'standins', 'catalog'));
  const own = products.map((product) => ({
    ...product,
    openapi: { path: '/v1/docs/spec.json' },
    gateway: { ...product.gateway, paths: 'any' as const },
  }));
  const routed = createRouter(
    { products: own, guides: [], find: () => undefined },
    { upstreams: new Map([['tax-lookup-api', 'http://api.internal/base']]), sandboxes: new Map() },
  );
  const document = { isOpenApi: true, path: '/base/v1/docs/spec.json' };
  for (const path of [
    '/openapi.json',
    '/v1/docs/spec.json',
    '/v1/docs/%73pec.json?a=b',
    '/v1/docs%2Fspec.json',
    '/v1\\docs%255cspec.json',
    '/V1/docs/spec.json/',
  ])
    expect(routed('GET', `/tax-lookup${path}`)).toMatchObject(document);
  for (const path of ['/v1/docs', '/v1/spec.json', '/v1/a%20b', '/v1/openapi.json', '/?/openapi.json'])
    expect(routed('GET', `/tax-lookup${path}`)).toMatchObject({ isOpenApi: false, path: `/base${path}` });
});

test('a product that refuses nothing has no matcher', () => {
  expect(refusalFinder({ refused: [], documented: [] }, [])).toBeUndefined();
});
