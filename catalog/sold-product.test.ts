import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { draftProduct } from './draft-product.ts';
import { ImportFault } from './read-openapi.ts';

const documentOf = (...paths: string[]): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Weather', version: '1' },
    paths: Object.fromEntries(paths.map((path) => [path, { get: { summary: `Of ${path}` } }])),
  });

const sold = `# Ours
id: weather
position: 4
name: Weather of India
gatewayPath: sky
upstreamUrl: https://api.example.com
sac: '998439' # asked the accountant
openapi: { file: our.openapi.json }
plans:
  # for everybody
  - id: free
    name: Free
    price: 0
    dailyQuota: 10
    monthlyQuota: 100
    rps: 1
    benefits: []
`;

const replaced = (choices: object = {}, onSale: string = sold) => {
  const draft = draftProduct(documentOf('/v1/rain'), choices, { 'weather.yaml': onSale });
  const [product = '', document = ''] = draft.files.map(({ content }) => Buffer.from(content, 'base64').toString());
  return { draft, product, document };
};

test('a product that gets a new document keeps its file, comments included, and the name of the document', () => {
  const { draft, product, document } = replaced();
  expect(product.trim()).toBe(sold.trim());
  expect(draft.files.map(({ path }) => path)).toEqual(['weather.yaml', 'our.openapi.json']);
  expect(document).toContain('/v1/rain');
  expect(draft).toMatchObject({ name: 'Weather of India', gatewayPath: 'sky', upstreamUrl: 'https://api.example.com' });
});

test('what is chosen with the new document is changed, and nothing else', () => {
  const plans = [{ id: 'free', name: 'Free', price: 0, dailyQuota: 20, monthlyQuota: 100, rps: 1 }];
  const { product } = replaced({ upstreamUrl: 'https://new.example.com', plans });
  expect(product.trim()).toBe(
    sold.replace('api.example', 'new.example').replace('dailyQuota: 10', 'dailyQuota: 20').trim(),
  );
});

test('of a name in several languages the English one is changed', () => {
  const inBoth = sold.replace('name: Weather of India', 'name: { en: Weather of India, hi: मौसम }');
  expect(replaced({}, inBoth).draft.name).toBe('Weather of India');
  expect(parse(replaced({ name: 'Sky' }, inBoth).product)).toMatchObject({ name: { en: 'Sky', hi: 'मौसम' } });
});

test('a product whose document is with its API gets one in the catalogue', () => {
  const { draft, product } = replaced({}, sold.replace(/^openapi: .*$/m, 'openapi: { path: /api.json }'));
  expect(draft.files[1]?.path).toBe('weather.openapi.json');
  expect(parse(product)).toMatchObject({ openapi: { file: 'weather.openapi.json' } });
});

test('a plan that the product does not have is refused', () => {
  const plans = [{ id: 'pro', name: 'Pro', price: 9, dailyQuota: 20, monthlyQuota: 100, rps: 1 }];
  expect(() => replaced({ plans })).toThrow('no plan pro');
});

const whole = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Weather', version: '2' },
  paths: {
    '/v1/now': { get: { 'x-octroi-units': 7, security: [{ key: [] }] } },
    '/v1/bulk': { post: { 'x-octroi-units': 10, security: [{ key: [] }] } },
    '/v1/heavy': { post: { 'x-octroi-units': 500, security: [{ token: [] }] } },
    '/v1/places/{id}': { get: { security: [] }, delete: { 'x-internal': true } },
    '/status': { get: { security: [] } },
  },
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      token: { type: 'http', scheme: 'bearer' },
    },
  },
});
const decided = `${sold}metered:
  - { id: now, name: Now, method: GET, path: /v1/now, units: 3 }
  - { id: bulk, name: Bulk, method: POST, path: /v1/bulk, units: 10 }
  - { id: place, name: Place, method: GET, path: '/v1/places/{place}', units: 2 }
gateway: { credentials: [ { type: header, name: X-Key, value: { env: CATALOG_SECRET_KEY } } ] }
`;

test('what a fresh import would make of the new document, and the product keeps otherwise, is left to do', () => {
  const { remaining, files } = draftProduct(whole, {}, { 'weather.yaml': decided });
  expect(
    Buffer.from(files[0]?.content ?? '', 'base64')
      .toString()
      .trim(),
  ).toBe(decided.trim());
  expect(remaining).toEqual([
    'DELETE /v1/places/{id}: the document marks them x-internal, so the gateway refuses them with 404. Take the mark away from what customers shall call.',
    'GET /status: the gateway forwards /v1/…, /v2/… only. Set paths: any under gateway if customers shall call it.',
    'GET /v1/now: a call costs 3 units (metered, now), and the document says 7. Change metered if the document is right.',
    'POST /v1/heavy: a call costs 1 unit (metered does not list it), and the document says 500. Change metered if the document is right.',
    'GET /v1/places/{id}: a call costs 2 units (metered, place), and the document says 1. Change metered if the document is right.',
    expect.stringMatching(/^POST \/v1\/heavy: the API asks for "token", and the gateway sends "key"\. /),
    'GET /v1/places/{id} and one more call: no sign-in is needed, and the gateway sends "key" with every call.',
    expect.stringMatching(/^Texts, metered operations/),
  ]);
});

const signIns = [
  {
    kind: 'nothing',
    credentials: '[]',
    said: 'GET /v1/now and one more call: the API asks for "key", and the gateway sends nothing',
  },
  {
    kind: 'another header',
    credentials: '[{ type: basic, user: octroi, password: { env: CATALOG_SECRET_KEY } }]',
    said: 'POST /v1/heavy: the API asks for "token", and the gateway sends the header authorization',
  },
  {
    kind: 'a whole header',
    credentials: '[{ type: header, name: Authorization, value: { env: CATALOG_SECRET_KEY } }]',
    said: 'GET /v1/now and one more call: the API asks for "key", and the gateway sends "token"',
  },
];
test.each(signIns)(
  'the sign-in of a document is compared with what the gateway sends: $kind',
  ({ credentials, said }) => {
    const onSale = { 'weather.yaml': `${sold}gateway: { credentials: ${credentials} }` };
    expect(draftProduct(whole, {}, onSale).remaining).toContainEqual(expect.stringContaining(said));
  },
);

test('a product is found by its id, whatever its file is called, and the file of another one is not taken', () => {
  const draft = draftProduct(documentOf('/v1/rain'), {}, { '20-weather.yaml': sold });
  expect([draft.isReplacement, draft.files.map(({ path }) => path)]).toEqual([
    true,
    ['20-weather.yaml', 'our.openapi.json'],
  ]);
  const another = { 'weather.yaml': sold.replace('id: weather', 'id: sky') };
  expect(() => draftProduct(documentOf('/v1/rain'), { upstreamUrl: 'http://a.example' }, another)).toThrow(ImportFault);
});
