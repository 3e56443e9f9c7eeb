import { expect, test } from 'vitest';
import { importOpenApi } from './import-openapi.ts';
import { publicOpenApi } from './public-openapi.ts';
import { readOpenApi } from './read-openapi.ts';

const side = {
  url: 'https://gate.example/x',
  portalUrl: 'https://portal.example',
  paths: 'any',
  hiddenHeaders: [],
} as const;
const servers = [{ url: 'https://shops.internal' }];
const get = { get: { responses: { 200: { description: 'OK' } } } };
const shops = { openapi: '3.1.0', info: { title: 'Shops', version: '1' }, servers, paths: { '/a': get } };
const remainingOf = (document: object): string =>
  importOpenApi(readOpenApi(JSON.stringify(document)), { position: 1 }).remaining.join('\n');

test('texts that YAML reads as numbers or truth values stay as they are written, and data stays data', () => {
  const text = `
openapi: 3.1
info: { title: 1.10, version: 2.0, description: true }
tags: [{ name: 2024, description: 1e3 }]
paths:
  /a:
    get:
      summary: 404
      operationId: 0x10
      tags: [2024, 1.0]
      responses:
        200:
          description: 200
          content:
            application/json:
              schema: { properties: { summary: true, version: { const: 1.0 } } }
              example: { version: 1.0, summary: 5 }
`;
  expect(readOpenApi(text)).toMatchObject({
    openapi: '3.1',
    info: { title: '1.10', version: '2.0', description: 'true' },
    tags: [{ name: '2024', description: '1e3' }],
    paths: {
      '/a': {
        get: {
          summary: '404',
          operationId: '0x10',
          tags: ['2024', '1.0'],
          responses: {
            200: {
              description: '200',
              content: {
                'application/json': {
                  schema: { properties: { summary: true, version: { const: 1 } } },
                  example: { version: 1, summary: 5 },
                },
              },
            },
          },
        },
      },
    },
  });
});

test.each([
  ['Météo & Réseau', 'meteo-reseau'],
  ['Straße für Øl, Łódź', 'strasse-fur-ol-lodz'],
  ['Ａｐｉ of ﬁles', 'api-of-files'],
])('the title %j gives the id %s', (title, id) => {
  const document = { ...shops, info: { title, version: '1' } };
  expect(importOpenApi(readOpenApi(JSON.stringify(document)), { position: 1 }).id).toBe(id);
});

test('a key that stands twice is refused with its line, in JSON and YAML', () => {
  const twice = /^Line 3 has the key "?get"? a second time in the same object\..*remove or rename one\.$/;
  expect(() => readOpenApi('{"openapi":"3.1.0","paths":{"/a":{\n"get":{},\n"get":{}}}}')).toThrow(twice);
  expect(() => readOpenApi('paths:\n  /a: { get: {},\n    get: {} }')).toThrow(twice);
});

test('references are followed where OpenAPI allows none', () => {
  const document = readOpenApi(
    JSON.stringify({
      ...shops,
      info: { $ref: '#/x-info' },
      servers: { $ref: '#/x-servers' },
      tags: { $ref: '#/x-tags' },
      paths: { $ref: '#/x-paths' },
      components: { schemas: { $ref: '#/x-schemas' } },
      'x-info': { title: 'Referred', version: '3' },
      'x-servers': servers,
      'x-tags': [{ name: 'one' }],
      'x-paths': { '/a': { get: { $ref: '#/x-get' }, parameters: { $ref: '#/x-parameters' } } },
      'x-get': { summary: 'Get it', responses: { $ref: '#/x-responses' } },
      'x-parameters': [{ name: 'p', in: 'query' }],
      'x-responses': { 200: { description: 'Fine' } },
      'x-schemas': { Day: { type: 'object' } },
    }),
  );
  expect(document).toMatchObject({
    info: { title: 'Referred' },
    servers,
    tags: [{ name: 'one' }],
    paths: {
      '/a': { get: { summary: 'Get it', responses: { 200: { description: 'Fine' } } }, parameters: [{ name: 'p' }] },
    },
    components: { schemas: { Day: {} } },
  });
});

test.each([
  [{ info: { $ref: './info.yaml' } }, /^info is in another file, \.\/info\.yaml\. Make one file of them/],
  [{ paths: { $ref: 'paths.json' } }, /^paths is in another file, paths\.json\. Make one file/],
  [{ info: { $ref: '#/x-gone' } }, /^info refers to #\/x-gone, which is not in the document/],
  [
    { paths: { '/a': { parameters: { $ref: '#/info' } } } },
    /^paths\.\/a\.parameters refers to #\/info, .*not what belongs there/,
  ],
  [{ info: { $ref: '#/info' } }, /^info refers to #\/info/],
])('a reference through which nothing can be read is named: %o', (part, told) => {
  expect(() => readOpenApi(JSON.stringify({ ...shops, ...part }))).toThrow(told);
});

test('OpenAPI 3.2: QUERY is kept, other methods are named and left out, and its own address is in no reference', () => {
  const response = {
    description: 'OK',
    content: { 'application/json': { schema: { $ref: 'shops.json#/components/schemas/Day' } } },
  };
  const document = {
    ...shops,
    openapi: '3.2.0',
    $self: 'https://shops.internal/api/shops.json',
    paths: {
      '/a': {
        ...get,
        query: { servers, security: [{ own: [] }], responses: { 200: response } },
        additionalOperations: { COPY: { servers, responses: {} } },
      },
    },
    components: { schemas: { Day: { type: 'string' }, Hidden: {} } },
  };
  const remaining = remainingOf(document);
  expect(remaining).toContain('the method QUERY');
  expect(remaining).toContain('COPY /a: the gateway forwards no such method');
  const shown = publicOpenApi(document, side);
  expect(shown).toMatchObject({
    openapi: '3.2.0',
    paths: {
      '/a': {
        query: {
          responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Day' } } } } },
        },
      },
    },
    components: { schemas: { Day: { type: 'string' } } },
  });
  expect(JSON.stringify(shown)).not.toMatch(/shops\.internal|COPY|Hidden|"own"/);
});

test('paths with a query, and costs that the catalogue cannot list, are named', () => {
  const priced = (units: number) => ({ ...get.get, 'x-octroi-units': units });
  const remaining = remainingOf({
    ...shops,
    paths: { '/a?kind=x': { get: priced(3) }, '/b#two': get, '/c': { head: priced(2), get: priced(4) } },
  });
  expect(remaining).toContain('Check /a?kind=x, /b#two: calls are told apart by method and path alone');
  expect(remaining).toContain('GET /a?kind=x costs one unit a call, not 3');
  expect(remaining).toContain('HEAD /c costs one unit a call, not 2');
  expect(remaining).not.toContain('GET /c costs');
});
