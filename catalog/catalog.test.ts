import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyCatalog } from '#catalog/test-catalog.ts';
import { CatalogFaults, findPlan, plansByCategory, termsOf } from '#catalog/catalog.ts';
import { readCatalog } from '#catalog/catalog-files.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { defaultGatewayOptions } from '#catalog/gateway-options.ts';

const folder = projectFolder('ship', 'standins', 'catalog');

function faultsOf(path: string): readonly string[] {
  try {
    readCatalog(path);
  } catch (error) {
    if (error instanceof CatalogFaults) return error.faults;
    throw error;
  }
  return [];
}

test('finds a product by its alias', () => {
  const catalog = readCatalog(folder);
  expect(catalog.find('tax-lookup')?.id).toBe('tax-lookup-api');
  expect(catalog.find('gst-invoicing')?.id).toBe('invoicing-system');
  expect(catalog.find('nothing')).toBeUndefined();
});

test('groups keep the order of the file; inside a group free plans come first, then by price', () => {
  const product = readCatalog(folder).find('tax-lookup-api');
  const groups = product ? [...plansByCategory(product)] : [];
  expect(groups.map(([category]) => category)).toEqual(['standard', 'quarterly']);
  expect(groups[0]?.[1].map((plan) => plan.pricePaise)).toEqual([0, 0, 49_900, 149_900, 499_900]);
});

test('the terms of a plan have price, tax and quotas but not its place in the catalogue', () => {
  const product = readCatalog(folder).find('tax-lookup-api');
  const plan = product && findPlan(product, 'growth');
  expect(plan && termsOf(plan, '2026-11-22')).toMatchObject({
    planId: 'growth',
    pricePaise: 149_900,
    gstRateBasisPoints: 1800,
    tax: 'inclusive',
    maxDays: 30,
    rps: 20,
  });
  expect(plan && termsOf(plan, '2026-11-22')).not.toHaveProperty('category');
});

test('every error in a file is reported with its line', () => {
  const bad = emptyCatalog();
  writeFileSync(join(bad, 'bad.yaml'), 'id: bad-one\nname: Bad\nplans:\n  - id: p\n    price: -1\n');
  const faults = faultsOf(bad);
  expect(faults).toEqual(expect.arrayContaining([expect.stringMatching(/^bad\.yaml:5: plans\.0\.price: /)]));
  expect(faults.length).toBeGreaterThan(5);
});

test('a file that is not YAML is rejected with its line', () => {
  const bad = emptyCatalog();
  writeFileSync(join(bad, 'bad.yaml'), 'id: x\nname: [\n');
  expect(() => readCatalog(bad)).toThrow(/bad\.yaml:3/);
});

/** A valid product file; `changes` replaces or adds top-level lines. */
function productFile(changes: Record<string, string>): string {
  const fields = {
    id: 'weather',
    position: '1',
    name: 'Weather API',
    tagline: 'Rain and sun.',
    description: 'Forecasts.',
    longDescription: 'Forecasts for every place.',
    features: '[{ title: Fast, text: Very. }]',
    useCases: '[{ title: Farms, text: When to sow. }]',
    sample: '{ request: GET /v1/today, answer: "{}" }',
    gatewayPath: 'weather',
    upstreamUrl: 'http://127.0.0.1:9',
    sac: "'998439'",
    gstRatePercent: '18',
    plans:
      '[{ id: free, category: standard, name: Free, description: Free., price: 0, dailyQuota: 1, monthlyQuota: 1, rps: 1, benefits: [{ key: daily, value: 1, display: One }] }]',
    ...changes,
  };
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

function catalogOf(...files: readonly Record<string, string>[]): string {
  const path = emptyCatalog();
  files.forEach((changes, index) => writeFileSync(join(path, `${index + 1}.yaml`), productFile(changes)));
  return path;
}

test('two products must not share an id, an alias or a path; the error names both places', () => {
  const other = { id: 'rain', position: '2', gatewayPath: 'rain' };
  expect(faultsOf(catalogOf({}, other))).toEqual([]);
  expect(faultsOf(catalogOf({}, { ...other, id: 'weather' }))).toEqual([
    '2.yaml:1: the name "weather" is already used at 1.yaml:1. Choose another one.',
  ]);
  expect(faultsOf(catalogOf({}, { ...other, aliases: '[weather]' }))).toEqual([
    '2.yaml:15: the name "weather" is already used at 1.yaml:1. Choose another one.',
  ]);
  expect(faultsOf(catalogOf({}, { ...other, gatewayPath: 'weather' }))).toEqual([
    '2.yaml:10: the path "weather" is already used at 1.yaml:10. Choose another one.',
  ]);
});

test.each(['health', 'metrics', 'openapi', 'v1', 'v20'])('the gateway keeps the path %s for itself', (gatewayPath) => {
  expect(faultsOf(catalogOf({ gatewayPath }))).toEqual(['1.yaml:10: gatewayPath: is a path of the gateway itself']);
});

test('two plans of a product must not share an id', () => {
  const plan =
    '{ id: free, category: standard, name: Free, description: Free., price: 0, dailyQuota: 1, monthlyQuota: 1, rps: 1, benefits: [{ key: daily, value: 1, display: One }] }';
  expect(faultsOf(catalogOf({ plans: `[${plan}, ${plan}]` }))).toEqual(['1.yaml:14: two plans are called "free"']);
});

test('gateway options of a product have defaults, and secrets come from outside the catalogue', () => {
  const read = readCatalog(
    catalogOf({ gateway: '{ credentials: [{ type: bearer, token: { env: CATALOG_SECRET_WEATHER_TOKEN } }] }' }),
  );
  expect(read.products[0]?.gateway).toEqual({
    ...defaultGatewayOptions,
    credentials: [{ type: 'bearer', token: { env: 'CATALOG_SECRET_WEATHER_TOKEN' } }],
  });
  expect(faultsOf(catalogOf({ gateway: '{ credentials: [{ type: bearer, token: s3cret }] }' }))).toHaveLength(1);
  expect(faultsOf(catalogOf({ gateway: '{ requestHeaders: { add: { Host: example.com } } }' }))).toEqual([
    expect.stringMatching(/about the connection/),
  ]);
  expect(faultsOf(catalogOf({ gateway: '{ cors: { origins: [https://a.example/path] } }' }))).toHaveLength(1);
  expect(faultsOf(catalogOf({ gateway: '{ tls: { certificate: client.pem } }' }))).toEqual([
    expect.stringMatching(/must be given together/),
  ]);
});

/** The faults of the tax look-up with these lines at its end. */
function faultsWith(lines: string): readonly string[] {
  const path = emptyCatalog();
  writeFileSync(join(path, 'a.yaml'), `${readFileSync(join(folder, 'tax-lookup-api.yaml'), 'utf8')}\n${lines}`);
  return faultsOf(path).map((fault) => fault.replace(/^a\.yaml:\d+: /, ''));
}

test('operations with the same id or path, unknown ones and those dearer than a quota are faults', () => {
  const bulk = '  - { id: bulk, name: Bulk, method: GET, path: /v1/bulk, units: 10 }';
  expect(faultsWith(`metered:\n${bulk}\n`)).toEqual([]);
  expect(faultsWith(`metered:\n${bulk}\n${bulk.replace('/v1/bulk', '/v1/other')}\n`)).toEqual([
    'metered.1.id: two operations are called "bulk"',
  ]);
  expect(
    faultsWith(`metered:\n${bulk}\n${bulk.replace('id: bulk', 'id: again').replace('bulk,', 'BULK/,')}\n`),
  ).toEqual(['metered.1.path: is the same path as that of "bulk"']);
  expect(faultsWith(`metered:\n${bulk.replace('10', '10, counts: [500]')}\n`)[0]).toMatch(/^metered\.0\.counts\.0: /);
  expect(faultsWith(`metered:\n${bulk.replace('10', '900000')}\n`)[0]).toMatch(/costs 900000 units, more than/);
});

test('a plan keeps the costs of the operations that it includes', () => {
  const path = emptyCatalog();
  const lines = [
    '    operations: [bulk, plain]',
    'metered:',
    '  - { id: bulk, name: Bulk, method: GET, path: /v1/bulk, units: 10, counts: [2xx] }',
    '  - { id: plain, name: Plain, method: GET, path: /v1/plain }',
    '  - { id: other, name: Other, method: GET, path: /v1/other, units: 3 }',
  ];
  const yaml = readFileSync(join(folder, 'tax-lookup-api.yaml'), 'utf8').trimEnd();
  writeFileSync(join(path, 'a.yaml'), `${yaml}\n${lines.join('\n')}\n`);
  const plans = readCatalog(path).products[0]?.plans ?? [];
  expect(plans.at(-1)).toMatchObject({
    operations: ['bulk', 'plain'],
    costs: { bulk: { units: 10, counts: ['2xx'] } },
  });
  expect(plans.at(-1)?.costs).not.toHaveProperty('other');
  expect(Object.keys(plans[0]?.costs ?? {})).toEqual(['bulk', 'other']);
});
