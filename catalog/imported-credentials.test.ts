import { expect, test } from 'vitest';
import { credentialsOf } from './imported-credentials.ts';
import { operationsOf } from './openapi-document.ts';
import { readOpenApi } from './read-openapi.ts';

const schemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  other: { type: 'apiKey', in: 'header', name: 'X-Other' },
  again: { type: 'apiKey', in: 'header', name: 'x-key' },
  authorization: { type: 'apiKey', in: 'header', name: 'Authorization' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
  query: { type: 'apiKey', in: 'query', name: 'api_key' },
  host: { type: 'apiKey', in: 'header', name: 'Host' },
  bearer: { type: 'http', scheme: 'Bearer' },
  basic: { type: 'http', scheme: 'basic' },
  digest: { type: 'http', scheme: 'digest' },
  custom: { type: 'http', scheme: 'Token' },
  oauth: { type: 'oauth2', flows: {} },
  openid: { type: 'openIdConnect', openIdConnectUrl: 'https://a.example' },
  tls: { type: 'mutualTLS' },
  referring: { $ref: '#/components/securitySchemes/key' },
  circle: { $ref: '#/components/securitySchemes/circle' },
};
type Requirement = Readonly<Record<string, readonly string[]>>;

/** What is imported of a document, whose calls ask for these, with what is left to do. */
function imported(
  security: readonly Requirement[] | undefined,
  { calls = {}, parameters = [] }: { calls?: Record<string, readonly Requirement[]>; parameters?: object[] } = {},
) {
  const operation = (asked?: readonly Requirement[]) => ({ get: { parameters, security: asked } });
  const document = readOpenApi(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Shops', version: '1' },
      paths: {
        '/a': operation(),
        ...Object.fromEntries(Object.entries(calls).map(([path, asked]) => [path, operation(asked)])),
      },
      security,
      components: { securitySchemes: schemes },
    }),
  );
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    operationsOf(item).map(([method, each]) => ({ path, method, operation: each })),
  );
  const remaining: string[] = [];
  return { credentials: credentialsOf(document, operations, 'shops', remaining), remaining: remaining.join('\n') };
}

const sent = { env: 'CATALOG_SECRET_SHOPS_KEY' };
test.each([
  ['key', [{ type: 'header', name: 'X-Key', value: sent }], 'Set CATALOG_SECRET_SHOPS_KEY'],
  ['referring', [{ type: 'header', name: 'X-Key', value: sent }], 'Set CATALOG_SECRET_SHOPS_KEY'],
  ['authorization', [{ type: 'header', name: 'Authorization', value: sent }], 'the whole header Authorization'],
  ['cookie', [{ type: 'header', name: 'Cookie', value: sent }], 'such as "sid=…"'],
  ['custom', [{ type: 'header', name: 'Authorization', value: sent }], 'such as "Token …"'],
  ['bearer', [{ type: 'bearer', token: { env: 'CATALOG_SECRET_SHOPS_TOKEN' } }], 'Set CATALOG_SECRET_SHOPS_TOKEN'],
  [
    'basic',
    [{ type: 'basic', user: 'octroi', password: { env: 'CATALOG_SECRET_SHOPS_PASSWORD' } }],
    'Set the user name',
  ],
  ['tls', [], 'Set gateway.tls.certificate'],
])('the scheme "%s" is taken over exactly', (name, credentials, told) => {
  const result = imported([{ [name]: [] }]);
  expect(result.credentials).toEqual(credentials);
  expect(result.remaining).toContain(told);
  expect(result.remaining).not.toContain('instead');
});

test.each([
  ['query', 'a key in the query parameter api_key'],
  ['host', 'a key in the header "Host"'],
  ['digest', 'HTTP authentication "digest"'],
  ['oauth', 'OAuth 2.0'],
  ['openid', 'OpenID Connect'],
  ['circle', 'does not describe'],
  ['unknown', 'does not describe'],
])('the scheme "%s" is named under what is left to do, and no other one is taken in its place', (name, why) => {
  const { credentials, remaining } = imported([{ [name]: [] }]);
  expect(credentials).toEqual([]);
  expect(remaining).toContain(`GET /a: the API asks for "${name}" (`);
  expect(remaining).toContain(why);
  expect(remaining).toContain('Set gateway.credentials to what the API accepts instead');
});

test('everything asked for together is sent, or what of it cannot be is named', () => {
  expect(imported([{ key: [], basic: [], tls: [] }]).credentials).toMatchObject([{ name: 'X-Key' }, { type: 'basic' }]);
  const partly = imported([{ key: [], oauth: [] }]);
  expect([partly.credentials, partly.remaining]).toEqual([[], expect.stringContaining('"key" and "oauth" (OAuth 2.0')]);
  const twice = imported([{ basic: [], bearer: [] }]);
  expect([twice.credentials, twice.remaining]).toEqual([[], expect.stringContaining('in one header')]);
  expect(imported([{ key: [], again: [] }]).credentials).toEqual([]);
});

test('of alternatives the one that most calls accept is sent; what came first, what differs and what needs none is named', () => {
  const first = imported([{ oauth: [] }, { key: [] }]);
  expect(first.credentials).toMatchObject([{ name: 'X-Key' }]);
  expect(first.remaining).toContain('GET /a: the gateway signs in with "key"; the document names "oauth" (OAuth 2.0');
  const most = imported([{ key: [] }], { calls: { '/b': [{ other: [] }], '/c': [{ other: [] }], '/d': [] } });
  expect(most.credentials).toMatchObject([{ name: 'X-Other' }]);
  expect(most.remaining).toContain('GET /a: the API asks for "key", and the gateway sends "other"');
  expect(most.remaining).toContain('GET /d: no sign-in is needed, and the gateway sends "other" with every call');
  const both = imported([{ key: [] }], { calls: { '/b': [{ key: [], other: [] }] } });
  expect(both.credentials).toMatchObject([{ name: 'X-Key' }, { name: 'X-Other' }]);
  const optional = imported([{}, { key: [] }]);
  expect([optional.credentials, optional.remaining]).toEqual([
    [expect.objectContaining({ name: 'X-Key' })],
    expect.stringContaining('GET /a: no sign-in is needed'),
  ]);
});

test('schemes that no call asks for are for the provider to confirm', () => {
  const { credentials, remaining } = imported(undefined);
  expect(credentials).toMatchObject([{ name: 'X-Key' }]);
  expect(remaining).toContain('no call asks for it. The gateway signs in with "key", not with "other"');
});

test.each([
  [{ name: 'X-Api-Key', in: 'header' }, 'add { type: header, name: X-Api-Key'],
  [{ name: 'Authorization', in: 'header' }, 'add { type: header, name: Authorization'],
  [{ name: 'access_token', in: 'query' }, 'The gateway sends headers only'],
  [{ name: 'sessionToken', in: 'cookie' }, 'add { type: header, name: Cookie'],
])('a key that is described as the plain parameter %o is named', (parameter, told) => {
  const { remaining } = imported([{ key: [] }], { parameters: [parameter] });
  expect(remaining).toContain(`GET /a: the ${parameter.in} parameter ${parameter.name} looks like the API's own key`);
  expect(remaining).toContain(told);
});

test.each([
  { name: 'X-Key', in: 'header' },
  { name: 'Idempotency-Key', in: 'header' },
  { name: 'pageToken', in: 'query' },
  { name: 'keyword', in: 'query' },
  { name: 'token_id', in: 'path' },
])('the parameter %o is no key that is missing', (parameter) => {
  expect(imported([{ key: [] }], { parameters: [parameter] }).remaining).not.toContain('looks like');
});
