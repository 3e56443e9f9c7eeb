import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { readCatalog } from './catalog-files.ts';
import { emptyCatalog } from './test-catalog.ts';
import { importOpenApi, type ImportedProduct } from './import-openapi.ts';
import { ImportFault, readOpenApi } from './read-openapi.ts';
import { operationsOf } from './openapi-document.ts';
import { publicOpenApi, type PublicSide } from './public-openapi.ts';

const gate: PublicSide = {
  url: 'https://gate.example/x',
  portalUrl: 'https://portal.example',
  paths: 'any',
  hiddenHeaders: [],
};

const weather = `
openapi: 3.1.0
info:
  title: Weather of India
  version: 2.1.0
  description: |
    Forecasts for every PIN code. Measured **every hour**, see [the map](https://maps.example).
servers:
  - url: https://{region}.example.com
  - url: https://weather.internal/base/
tags:
  - { name: Forecasts, description: What the weather will be. }
paths:
  /forecast:
    get:
      tags: [Forecasts]
      summary: Forecast of a place
      responses:
        '200':
          $ref: '#/components/responses/Forecast'
components:
  responses:
    Forecast:
      description: A forecast
      content:
        application/json:
          schema:
            type: object
            properties:
              celsius: { type: number, examples: [31] }
              rain: { type: boolean }
  securitySchemes:
    own: { type: apiKey, in: header, name: X-Weather-Key }
`;

function importText(text: string, choices: Partial<Parameters<typeof importOpenApi>[1]> = {}): ImportedProduct {
  return importOpenApi(readOpenApi(text), { position: 3, ...choices });
}

/** Reads an imported product as the portal would. */
function readImported(imported: ImportedProduct, text: string) {
  const folder = emptyCatalog();
  writeFileSync(join(folder, imported.openApiFile), JSON.stringify(readOpenApi(text)));
  writeFileSync(join(folder, `${imported.id}.yaml`), imported.yaml);
  return readCatalog(folder).products[0];
}

test('an OpenAPI document becomes a product with texts, address, credentials, a sample and two plans', () => {
  const imported = importText(weather);
  const product = readImported(imported, weather);
  expect(product).toMatchObject({
    id: 'weather-of-india',
    position: 3,
    name: 'Weather of India',
    tagline: 'Forecasts for every PIN code.',
    longDescription: 'Forecasts for every PIN code. Measured every hour , see the map.',
    features: [{ title: 'Forecasts', text: 'What the weather will be.' }],
    gatewayPath: 'weather-of-india',
    upstreamUrl: 'https://weather.internal/base',
    gateway: {
      paths: 'any',
      credentials: [{ type: 'header', name: 'X-Weather-Key', value: { env: 'CATALOG_SECRET_WEATHER_OF_INDIA_KEY' } }],
    },
    sample: { request: 'GET /forecast', answer: '{\n  "celsius": 31,\n  "rain": true\n}' },
    plans: [
      { planId: 'free', pricePaise: 0 },
      { planId: 'starter', pricePaise: 49_900 },
    ],
  });
  expect(imported.remaining).toEqual(
    expect.arrayContaining([
      "Set CATALOG_SECRET_WEATHER_OF_INDIA_KEY in the gateway's environment: the upstream's own credentials.",
      expect.stringMatching(/^Add useCases/),
      expect.stringMatching(/accountant/),
    ]),
  );
});

test('without a description, an API is described by its calls, and the provider is told', () => {
  const calls = ['Look up', 'Search in bulk', 'Add', 'Remove'];
  const paths = Object.fromEntries(
    calls.map((summary, index) => [
      `/v1/${index}`,
      { get: { summary, 'x-octroi-units': index === 1 ? 10 : undefined } },
    ]),
  );
  const document = { openapi: '3.0.3', info: { title: 'Shops', version: '1' }, paths };
  const imported = importText(JSON.stringify(document), { upstreamUrl: 'http://127.0.0.1:9' });
  const told = '4 calls: Look up, Search in bulk, Add and more.';
  expect(readImported(imported, JSON.stringify(document))).toMatchObject({
    tagline: told,
    description: told,
    longDescription: told,
    useCases: [],
    metered: [{ id: 'get-v1-1', name: 'Search in bulk', method: 'GET', path: '/v1/1', units: 10 }],
  });
  expect(imported.remaining).toContainEqual(expect.stringMatching(/^Write tagline/));
});

const city = { name: 'city', in: 'path', required: true };
const cities: [string, object, string][] = [
  ['example', { ...city, example: 'pune' }, '/v1/now/pune'],
  ['first of its examples', { ...city, examples: { one: { value: 'new delhi' } } }, '/v1/now/new%20delhi'],
  ['schema', { ...city, schema: { type: 'string', enum: ['agra', 'pune'] } }, '/v1/now/agra'],
  ['reference', { $ref: '#/components/parameters/city' }, '/v1/now/kochi'],
  ['name alone', city, '/v1/now/1'],
];

test.each(cities)('the sample request takes a path parameter from its %s', (_what, parameter, path) => {
  const parameters = { city: { ...city, schema: { type: 'string', examples: ['kochi'] } } };
  const paths = { '/v1/now/{city}': { parameters: [parameter], get: {} } };
  const document = { openapi: '3.1.0', info: { title: 'Weather' }, paths, components: { parameters } };
  const imported = importText(JSON.stringify(document), { upstreamUrl: 'http://127.0.0.1:9' });
  expect(readImported(imported, JSON.stringify(document))?.sample.request).toBe(`GET ${path}`);
});

test('operations that may do the work of many calls are proposed as a comment', () => {
  const document = { openapi: '3.0.3', info: { title: 'Shops' }, paths: { '/v1/shops/bulk': { post: {} } } };
  const imported = importText(JSON.stringify(document), { upstreamUrl: 'http://127.0.0.1:9' });
  expect(imported.yaml).toContain('# - {"id":"post-v1-shops-bulk"');
  const proposal = imported.yaml.replaceAll(/^# (metered:|- )/gm, '$1');
  expect(readImported({ ...imported, yaml: proposal }, JSON.stringify(document))?.metered).toMatchObject([
    { units: 10 },
  ]);
});

test('YAML as people write it: versions without quotes, empty members, merged anchors and referenced paths', () => {
  const text = `
openapi: 3.1.0
info: { title: Shops, version: 1.0, summary:, license: }
servers: [{ url: 'https://shops.internal' }]
tags:
x-shared: &errors
  '404': { description: No such shop }
paths:
  /shops:
    summary:
    parameters:
    get:
      summary:
      tags:
      responses:
        <<: *errors
        200: { description: OK }
  /later:
  /shops/{id}: { $ref: '#/components/pathItems/Shop' }
components:
  schemas:
  pathItems:
    Shop: { delete: { summary: Close a shop } }
`;
  const document = readOpenApi(text);
  expect(document).toMatchObject({
    info: { version: '1.0' },
    paths: { '/shops': { get: { responses: { 200: {}, 404: { description: 'No such shop' } } } } },
  });
  expect(readImported(importText(text), JSON.stringify(document))).toMatchObject({
    longDescription: '2 calls: GET /shops, Close a shop.',
  });
  expect(publicOpenApi(document, gate)).toMatchObject({
    paths: { '/shops/{id}': { delete: { summary: 'Close a shop' } } },
  });
});

test.each([
  [
    'the defaults of its variables',
    { url: 'https://{region}.example.com/{base}', variables: { region: { default: 'in' }, base: { default: 'v3/' } } },
    'https://in.example.com/v3',
    [true],
  ],
  ['the place of the document, if it is relative', { url: '/shops/v2' }, 'https://docs.example.com/shops/v2', []],
])('the address of an API has %s', (_what, server, address, hasDefaults) => {
  const document = { openapi: '3.1.0', info: { title: 'Shops' }, servers: [server], paths: { '/a': { get: {} } } };
  const imported = importText(JSON.stringify(document), { source: 'https://docs.example.com/openapi.json' });
  expect(readImported(imported, JSON.stringify(document))?.upstreamUrl).toBe(address);
  const checks = imported.remaining.filter((each) => each.startsWith('Check upstreamUrl'));
  expect(checks.map((check) => check.includes('defaults of the variables'))).toEqual(hasDefaults);
});

test('a base path that the given address lacks, and operations with servers of their own, are told', () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shops' },
    servers: [{ url: '/shops/v2' }],
    paths: { '/a': { get: {} }, '/upload': { servers: [{ url: 'https://files.internal' }], put: {} } },
  };
  const { remaining } = importText(JSON.stringify(document), { upstreamUrl: 'http://127.0.0.1:9' });
  expect(remaining).toEqual(
    expect.arrayContaining([expect.stringContaining('begins at /shops/v2'), expect.stringContaining('PUT /upload')]),
  );
  const right = importText(JSON.stringify(document), { upstreamUrl: 'http://127.0.0.1:9/base' });
  expect(right.remaining).not.toContainEqual(expect.stringContaining('begins at'));
});

test('credentials that an API asks for together are all the gateway’s', () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Shops' },
    servers: [{ url: 'https://shops.internal' }],
    paths: { '/a': { get: {} } },
    security: [{}, { other: [], tenant: [] }, { tenant: [], app: [], token: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        tenant: { type: 'apiKey', in: 'header', name: 'X-Tenant' },
        app: { type: 'apiKey', in: 'header', name: 'X-App' },
        other: { type: 'oauth2' },
      },
    },
  };
  const imported = importText(JSON.stringify(document));
  expect(readImported(imported, JSON.stringify(document))?.gateway.credentials).toEqual([
    { type: 'header', name: 'X-Tenant', value: { env: 'CATALOG_SECRET_SHOPS_KEY' } },
    { type: 'header', name: 'X-App', value: { env: 'CATALOG_SECRET_SHOPS_KEY_2' } },
    { type: 'bearer', token: { env: 'CATALOG_SECRET_SHOPS_TOKEN' } },
  ]);
});

test.each([
  ['swagger: "2.0"\ninfo: { title: Old, version: 1 }', /Swagger 2\.0.*Convert.*npx swagger2openapi/],
  ['{ "openapi": "3.0.0", ', /neither JSON nor YAML/],
  ['openapi: 4.0.0\ninfo: { title: New, version: 1 }', /must be OpenAPI 3\.0, 3\.1 or 3\.2/],
  ['hello', /no OpenAPI 3 document: it does not begin with openapi/],
  ['<!doctype html><title>Our API</title>', /Name the JSON or YAML file itself/],
  ['', /Name the JSON or YAML file itself/],
  [
    'openapi: 3.1.0\ninfo: { title: Split, version: "1" }\npaths: { /a: { $ref: ./a.yaml } }',
    /other files, such as \.\/a\.yaml\. Make one file/,
  ],
  ['openapi: 3.1.0\ninfo: { title: Empty, version: "1" }', /no operations/],
  ['openapi: 3.1.0\ninfo: { title: "天気", version: "1" }\npaths: { /a: { get: {} } }', /Choose one \(--id\)/],
  ['openapi: 3.1.0\ninfo: { title: Local, version: "1" }\npaths: { /a: { get: {} } }', /--upstream/],
])('%j is refused with what to do', (text, message) => {
  expect(() => importText(text)).toThrow(ImportFault);
  expect(() => importText(text)).toThrow(message);
});

const withResponse = (response: string) => `
openapi: 3.1.0
info: { title: Split, version: "1" }
servers: [{ url: 'https://split.example' }]
paths: { /a: { get: { responses: { 200: { $ref: '${response}' } } } } }
components: { responses: { A: { $ref: '#/components/responses/A' } } }
`;

test('a document of several files is imported with the advice to make one of it', () => {
  const files = 'Parts of the document are in other files, such as ./common.yaml#/Ok, and missing here.';
  expect(importText(withResponse('./common.yaml#/Ok')).remaining).toContainEqual(expect.stringContaining(files));
  const named = withResponse('./common.yaml#/Ok').replace('{ responses:', '{ x-note: { $ref: Customer }, responses:');
  expect(importText(named).remaining).toContainEqual(expect.stringContaining(files));
  // A response that is a circle of references has no example, and is no fault of the import.
  expect(importText(withResponse('#/components/responses/A')).remaining.join(' ')).not.toContain('other files');
});

const examples = projectFolder('node_modules/@readme/oas-examples');
const documents = ['3.0', '3.1'].flatMap((version) =>
  readdirSync(join(examples, version, 'json'))
    .filter((file) => file.endsWith('.json'))
    .map((file) => join(version, 'json', file)),
);

const isSellable = (file: string): boolean =>
  Object.values(readOpenApi(readFileSync(join(examples, file), 'utf8')).paths).some(
    (item) => operationsOf(item).length > 0,
  );

test('the public documents are of many kinds', () => {
  expect(documents.filter(isSellable).length).toBeGreaterThan(20);
});

test.each(documents.filter(isSellable))('the public document %s becomes a product', (file) => {
  const text = readFileSync(join(examples, file), 'utf8');
  const imported = importText(text, { upstreamUrl: 'https://api.example', id: 'imported' });
  expect(readImported(imported, text)).toMatchObject({ id: 'imported', upstreamUrl: 'https://api.example' });
  expect(publicOpenApi(readOpenApi(text), gate)).toMatchObject({ servers: [{ url: 'https://gate.example/x' }] });
});

test.each(documents.filter((file) => !isSellable(file)))('the public document %s has nothing to sell', (file) => {
  const text = readFileSync(join(examples, file), 'utf8');
  expect(() => importText(text, { upstreamUrl: 'https://api.example' })).toThrow(/no operations/);
});
