import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalog } from '#catalog/catalog.ts';
import { readCatalog } from '#catalog/catalog-files.ts';
import { createCustomer, type Harness, openHarness } from '#gateway/test/world.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

let harness: Harness;
let key: string;
const deprecations = [
  { of: 'GET /v1/ok', since: '2026-11-01', sunset: '2027-05-01', note: 'Use /v1/echo.', link: 'https://a.example/x' },
  { of: 'v2', since: '2027-01-01', note: 'Use v3.' },
];
beforeAll(async () => {
  const { products } = readCatalog(projectFolder('catalog'));
  const changed = products.map((product) => (product.id === 'tax-lookup-api' ? { ...product, deprecations } : product));
  const catalog: Catalog = {
    products: changed,
    guides: [],
    find: (id) => changed.find((product) => product.id === id),
  };
  harness = await openHarness({ catalog });
  ({ key } = await createCustomer(harness.database.pool));
});
afterAll(() => harness.close());

test('responses of what is deprecated have Deprecation, Sunset and Link headers, and no others have', async () => {
  const old = await harness.call(key, { path: '/ok?x=1' });
  expect(old.status).toBe(200);
  expect(old.headers).toMatchObject({
    deprecation: '@1793471400',
    sunset: 'Fri, 30 Apr 2027 18:30:00 GMT',
    link: [
      '<https://a.example/x>; rel="deprecation"; type="text/html"',
      '<https://a.example/x>; rel="sunset"; type="text/html"',
    ],
  });
  const current = await harness.call(key, { path: '/echo' });
  expect(current.status).toBe(200);
  expect(current.headers).not.toHaveProperty('deprecation');
  expect(current.headers).not.toHaveProperty('link');
  // Who calls without a key learns it too.
  expect((await harness.call('nothing', { path: '/ok' })).headers).toMatchObject({ deprecation: '@1793471400' });
  const version = await fetch(`${harness.gateway.url}/tax-lookup/v2/ok`, { headers: { 'x-api-key': key } });
  expect([version.headers.get('deprecation'), version.headers.get('sunset')]).toEqual(['@1798741800', null]);
  expect(version.headers.get('link')).toMatch(/\/reference\/tax-lookup-api>; rel="deprecation"/);
});

test('the OpenAPI document marks deprecated operations', async () => {
  const response = await fetch(`${harness.gateway.url}/tax-lookup/openapi.json`);
  expect(await response.json()).toMatchObject({ paths: { '/v1/ok': { get: { deprecated: true } } } });
});
