import { expect, test } from 'vitest';
import { z } from 'zod';
import { publicOpenApi } from './public-openapi.ts';

const jsonOf = (name: string) => ({
  description: 'OK',
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
});
const [day, audit] = [jsonOf('Day'), jsonOf('Audit')];
const internal = {
  openapi: '3.0.3',
  info: { title: 'Weather', version: '2' },
  servers: [{ url: 'http://10.0.0.5:8080' }],
  paths: {
    '/v1/today': {
      servers: [{ url: 'http://10.0.0.6' }],
      parameters: [{ $ref: '#/components/parameters/Internal' }, { name: 'place', in: 'query' }],
      get: {
        security: [{ internal: [] }],
        parameters: [{ name: 'x-internal-key', in: 'header' }],
        responses: { 200: day },
      },
      delete: { 'x-internal': true, responses: { 200: audit } },
    },
    '/admin': { get: { responses: {} } },
    '/v1/reset': { post: { 'x-internal': true, responses: {} } },
  },
  components: {
    parameters: { Internal: { name: 'X-Internal-Key', in: 'header' }, Place: { name: 'place', in: 'query' } },
    securitySchemes: { internal: { type: 'apiKey', in: 'header', name: 'X-Internal-Key' } },
    schemas: {
      Day: { type: 'object', discriminator: { propertyName: 'kind', mapping: { wet: 'Wet' } } },
      Wet: { properties: { rain: { $ref: '#/components/schemas/Rain' } } },
      Rain: { type: 'number' },
      Dry: { allOf: [{ $ref: '#/components/schemas/Day' }, { $ref: '#/components/schemas/Sun' }] },
      Sun: { type: 'number' },
      Audit: { properties: { by: { $ref: '#/components/schemas/Operator' } } },
      Operator: { type: 'string' },
    },
  },
  security: [{ internal: [] }],
};
const side = {
  url: 'https://api.example/weather',
  portalUrl: 'https://portal.example',
  paths: 'versioned',
  hiddenHeaders: ['X-Internal-Key'],
} as const;

test('the public document has the address and the keys of the gateway, and nothing of the upstream', () => {
  const shown = publicOpenApi(internal, side);
  expect(shown).toMatchObject({
    servers: [{ url: 'https://api.example/weather' }],
    paths: { '/v1/today': { parameters: [{ name: 'place', in: 'query' }], get: { parameters: [] } } },
    components: { schemas: { Day: { type: 'object' } } },
    security: [{ apiKey: [] }, { bearer: [] }],
    info: { contact: { name: 'Support', url: 'https://portal.example' } },
  });
  expect(JSON.stringify(shown)).not.toMatch(/10\.0\.0|internal/i);
});

test('addresses and sign-in of the upstream are left out of links, callbacks, components and extensions of other gateways', () => {
  const servers = [{ url: 'http://10.0.0.7' }];
  const operation = { servers, security: [{ internal: [] }], 'x-google-backend': { address: 'http://10.0.0.8' } };
  const links = { next: { operationId: 'today', server: { url: 'http://10.0.0.9' } } };
  const linked = { description: 'OK', links };
  const callbacks = { onChange: { '{$request.body#/url}': { servers, post: { ...operation, responses: {} } } } };
  const shown = publicOpenApi(
    {
      ...internal,
      'x-google-endpoints': [{ target: '10.0.0.8' }],
      paths: {
        '/v1/now': {
          'x-amazon-apigateway-any-method': { uri: 'http://10.0.0.8' },
          get: { ...operation, callbacks, responses: { 200: linked, 404: { $ref: '#/components/responses/Linked' } } },
          put: {
            callbacks: { shared: { $ref: '#/components/callbacks/Shared' } },
            responses: { 200: { links: { a: { $ref: '#/components/links/Next' } } } },
          },
        },
      },
      components: {
        ...internal.components,
        responses: { Linked: linked },
        links: { Next: links.next },
        callbacks: { Shared: callbacks.onChange },
      },
    },
    side,
  );
  expect(shown).toMatchObject({
    paths: {
      '/v1/now': {
        get: {
          callbacks: { onChange: { '{$request.body#/url}': { post: { responses: {} } } } },
          responses: { 200: { links: { next: { operationId: 'today' } } } },
        },
      },
    },
    components: { links: { Next: { operationId: 'today' } }, callbacks: { Shared: {} } },
  });
  expect(JSON.stringify(shown)).not.toMatch(/10\.0\.0|internal/i);
});

test('a path that refers to a path item has its operations, without the servers of the item', () => {
  const item = { servers: [{ url: 'http://10.0.0.7' }], get: { operationId: 'item', responses: { 200: day } } };
  const shown = publicOpenApi(
    {
      ...internal,
      paths: {
        '/v1/item': { $ref: '#/components/pathItems/Item' },
        '/v2/item': { $ref: '#/paths/~1v1~1item' },
      },
      components: { ...internal.components, pathItems: { Item: item } },
    },
    side,
  );
  expect(shown).toMatchObject({ paths: { '/v1/item': { get: { operationId: 'item' } } } });
  expect(JSON.stringify(shown)).not.toContain('10.0.0');
});

const paths = (shown: object): unknown => Object.keys(Object.getOwnPropertyDescriptor(shown, 'paths')?.value);

test('operations that are marked internal or not forwarded are left out', () => {
  expect(paths(publicOpenApi(internal, side))).toEqual(['/v1/today']);
  expect(publicOpenApi(internal, side)).not.toHaveProperty('paths./v1/today.delete');
  expect(paths(publicOpenApi(internal, { ...side, paths: 'any' }))).toEqual(['/v1/today', '/admin']);
});

/** The schemas of the API in a public document. */
function schemaNames(shown: object): string[] {
  const { components } = z
    .object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) })
    .parse(shown);
  return Object.keys(components.schemas).filter((name) => !name.startsWith('Gateway'));
}

test('components that only hidden operations use are left out; the kinds of a schema are kept', () => {
  expect(schemaNames(publicOpenApi(internal, side))).toEqual(['Day', 'Wet', 'Rain', 'Dry', 'Sun']);
});

test('what an operation costs stands beside it', () => {
  const operations = [
    { id: 'today', name: 'Today', method: 'GET' as const, path: '/v1/today', units: 10, counts: ['2xx' as const, 404] },
  ];
  expect(publicOpenApi(internal, { ...side, operations })).toMatchObject({
    paths: { '/v1/today': { get: { 'x-quota-units': 10, 'x-quota-statuses': ['2xx', '404'] } } },
  });
  expect(JSON.stringify(publicOpenApi(internal, side))).not.toContain('x-quota');
});

test('something else than an OpenAPI 3 document is refused', () => {
  expect(() => publicOpenApi({ swagger: '2.0' }, side)).toThrow(/openapi/);
  expect(() => publicOpenApi('<html>', side)).toThrow(/object/);
});

test('webhooks are shown without internal ones, and without schemes that the public document does not have', () => {
  const own = { security: [{ internal: [] }], requestBody: day, responses: { 200: { description: 'Noted' } } };
  const webhooks = {
    rain: { post: own, put: { 'x-internal': true, requestBody: audit } },
    audit: { 'x-internal': true, post: { requestBody: audit } },
    ended: { post: { 'x-internal': true } },
    shared: { $ref: '#/components/pathItems/Shared' },
  };
  for (const name of ['webhooks', 'x-webhooks']) {
    const shown = publicOpenApi({ ...internal, [name]: webhooks }, side);
    const { security: _security, ...post } = own;
    expect(shown).toHaveProperty([name], { rain: { post }, shared: webhooks.shared });
    expect(JSON.stringify(shown)).not.toMatch(/Audit|Operator|internal/);
  }
});

test.each([
  ['$anchor', { $ref: '#day' }, { Day: { $anchor: 'day' } }],
  ['$anchor inside', { $ref: '#inside' }, { Day: { properties: { a: { $anchor: 'inside' } } } }],
  [
    '$dynamicAnchor',
    { $dynamicRef: '#node' },
    { Tree: { $dynamicAnchor: 'node' }, Strict: { $dynamicAnchor: 'node' } },
  ],
  ['a whole $id', { $ref: 'https://schemas.example/day' }, { Day: { $id: 'https://schemas.example/day' } }],
  ['a relative $id', { $ref: 'day.json' }, { Day: { $id: 'https://schemas.example/v1/day.json' } }],
  ['an $id and an anchor', { $ref: 'day#a' }, { Day: { $id: '/v1/day', $defs: { A: { $anchor: 'a' } } } }],
  ['an $id and a pointer', { $ref: 'day#/$defs/A' }, { Day: { $id: '/v1/day', $defs: { A: {} } } }],
  ['an $id below', { $ref: 'inner' }, { Day: { $id: '/v1/day', $defs: { A: { $id: 'inner' } } } }],
  ['$recursiveRef', { $recursiveRef: '#/components/schemas/Day' }, { Day: { $recursiveAnchor: true } }],
  ['a deep pointer', { $ref: '#/components/schemas/Day/properties/a' }, { Day: { properties: { a: {} } } }],
  ['a default mapping', { discriminator: { defaultMapping: 'Day' } }, { Day: {} }],
  ['a mapping to an id', { discriminator: { mapping: { a: 'day.json' } } }, { Day: { $id: 'day.json' } }],
])('a schema that is referred to by %s stays in the public document, and no other one', (_what, schema, wanted) => {
  const schemas = { ...wanted, Audit: { $id: 'audit', $anchor: 'audit', type: 'string' } };
  const through = { Through: { allOf: [schema] }, ...schemas };
  for (const [asked, all, extra] of [
    [schema, schemas, []],
    [{ $ref: '#/components/schemas/Through' }, through, ['Through']],
  ] as const) {
    const responses = { 200: { description: 'OK', content: { 'application/json': { schema: asked } } } };
    const shown = publicOpenApi(
      {
        openapi: '3.1.0',
        info: { title: 'Weather' },
        paths: { '/v1/a': { get: { responses } } },
        components: { schemas: all },
      },
      side,
    );
    expect(schemaNames(shown).toSorted()).toEqual([...extra, ...Object.keys(wanted)].toSorted());
  }
});

test('all schemas stay where a reference may lead to any of them', () => {
  const responses = { 200: { description: 'OK', content: { 'application/json': { schema: { $ref: '#unknown' } } } } };
  const components = { schemas: { Day: {}, Audit: {} } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Weather' },
    paths: { '/v1/a': { get: { responses } } },
    components,
  };
  expect(schemaNames(publicOpenApi(document, side))).toEqual(['Day', 'Audit']);
});

test('Idempotency-Key is declared at every POST that can take it, once', () => {
  const responses = {};
  const key = { name: 'idempotency-key', in: 'header', required: true };
  const document = {
    openapi: '3.0.3',
    info: { title: 'Orders', version: '1' },
    paths: {
      '/v1/none': { post: { responses }, get: { responses }, put: { responses } },
      '/v1/own': { post: { parameters: [key], responses } },
      '/v1/referred': { post: { parameters: [{ $ref: '#/components/parameters/Key' }], responses } },
      '/v1/of-path': { parameters: [key], post: { responses } },
    },
    components: { parameters: { Key: key } },
  };
  const shown = z.looseObject({
    paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  });
  const parametersOf = (hiddenHeaders: readonly string[]) =>
    shown.parse(publicOpenApi(document, { ...side, hiddenHeaders })).paths;
  const declared = { parameters: [{ name: 'Idempotency-Key', in: 'header', required: false }] };
  const paths = parametersOf([]);
  expect(paths['/v1/none']?.['post']).toMatchObject(declared);
  for (const method of ['get', 'put']) expect(paths['/v1/none']?.[method]).not.toHaveProperty('parameters');
  expect(paths['/v1/own']?.['post']).toMatchObject({ parameters: [key] });
  expect(paths['/v1/referred']?.['post']).toMatchObject({ parameters: [{ $ref: '#/components/parameters/Key' }] });
  expect(paths['/v1/of-path']?.['post']).not.toHaveProperty('parameters');
  expect(JSON.stringify(parametersOf(['Idempotency-Key']))).not.toMatch(/idempotency-key/i);
});

const event = (summary: string) => ({ post: { summary, responses: {} } });
test.each([
  ['3.1.0', {}, 'webhooks', ['cycle.ended']],
  ['3.0.3', {}, 'x-webhooks', ['cycle.ended']],
  ['3.1.0', { webhooks: { rain: event('Rain') } }, 'webhooks', ['cycle.ended', 'rain']],
  ['3.1.0', { 'x-webhooks': { rain: event('Rain') } }, 'x-webhooks', ['cycle.ended', 'rain']],
  ['3.1.0', { webhooks: { 'cycle.ended': event('Own') } }, 'webhooks', ['cycle.ended']],
])("a document of %s with %j has the portal's events in %s", (openapi, own, place, names) => {
  const document = { openapi, info: { title: 'Weather', version: '1' }, paths: {}, ...own };
  const dialects: string[] = [];
  const webhooks = (dialect: string) => {
    dialects.push(dialect);
    return { 'cycle.ended': event('A plan has ended') };
  };
  const shown = z.record(z.string(), z.unknown()).parse(publicOpenApi(document, { ...side, webhooks }));
  expect(Object.keys(z.record(z.string(), z.unknown()).parse(shown[place]))).toEqual(names);
  expect(shown).toMatchObject(own);
  expect(dialects).toEqual([openapi === '3.0.3' ? 'openapi-3.0' : 'draft-2020-12']);
});
