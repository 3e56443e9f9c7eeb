import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { type Catalog } from './catalog.ts';
import { readCatalog } from './catalog-files.ts';
import { compareCatalogs } from './compare-catalogs.ts';
import { gatewayOptions } from './gateway-options.ts';

const before = readCatalog(projectFolder('ship', 'standins', 'catalog'));

/** The catalogue with changes to its first product; `undefined` removes it. */
function changed(change: (product: Catalog['products'][number]) => Catalog['products'][number] | undefined): Catalog {
  const products = before.products.flatMap((product, index) => (index === 0 ? (change(product) ?? []) : [product]));
  return { products, guides: before.guides, find: (id) => products.find((product) => product.id === id) };
}
const changesOf = (after: Catalog) =>
  compareCatalogs(before, after).map(({ change, affects }) => `${change} | ${affects}`);

test('a catalogue compared with itself has no changes', () => {
  expect(compareCatalogs(before, before)).toEqual([]);
});

test('a new price and quota concern new sales only, and both values are named', () => {
  const after = changed((product) => ({
    ...product,
    plans: product.plans.map((plan) =>
      plan.planId === 'growth' ? { ...plan, pricePaise: 199_900, dailyQuota: 1 } : plan,
    ),
  }));
  expect(changesOf(after)).toEqual([
    'plan growth: price ₹1,499 → ₹1,999, daily quota 5000 → 1 | New purchases and prepayments; plans that were sold keep their terms.',
  ]);
});

test('another path, a removed plan and a removed product are told with what they mean', () => {
  expect(changesOf(changed((product) => ({ ...product, gatewayPath: 'tax' })))).toEqual([
    expect.stringMatching(/^path on the gateway changed: [\w-]+ → tax \| Every customer must change/),
  ]);
  expect(changesOf(changed((product) => ({ ...product, plans: product.plans.slice(1) })))).toEqual([
    expect.stringMatching(/^plan \w+ is no longer for sale \| Its customers cannot renew it/),
  ]);
  expect(changesOf(changed(() => undefined))).toEqual([
    expect.stringMatching(/^removed \| Its customers: calls are refused/),
  ]);
  expect(
    compareCatalogs(
      changed(() => undefined),
      before,
    ),
  ).toEqual([
    expect.objectContaining({
      change: expect.stringMatching(/^added with \d+ plans; path on the gateway: [\w-]+; address of the API: http/),
      affects: 'Nobody yet.',
    }),
  ]);
  const [again] = compareCatalogs(
    changed(() => undefined),
    before,
    new Map([[before.products[0]?.id ?? '', 3]]),
  );
  expect(again?.affects).toBe('3 customers who have it: calls of their keys are served again from the next call on.');
});

test('changed texts are listed together', () => {
  expect(changesOf(changed((product) => ({ ...product, tagline: 'New.', name: 'New' })))).toEqual([
    'texts and pictures changed: name, tagline | Visitors of the marketplace.',
  ]);
});

test('where calls go, with whose secrets, and what is asked by itself are named, in a change and in a new product', () => {
  const gateway = gatewayOptions.parse({
    paths: 'any',
    credentials: [
      { type: 'header', name: 'X-Key', value: { env: 'CATALOG_SECRET_WEATHER' } },
      { type: 'basic', user: 'octroi', password: { file: 'weather-password' } },
    ],
    tls: { certificate: 'a.pem', key: { file: 'a.key' } },
    health: { path: '/up' },
  });
  const sandbox = { upstreamUrl: 'http://127.0.0.1:7998', dailyCalls: 5 };
  const after = changed((product) => ({ ...product, gateway, sandbox, upstreamUrl: 'http://127.0.0.1:7999' }));
  const texts = changesOf(after).join('\n');
  const words = [
    'http://127.0.0.1:7999',
    'http://127.0.0.1:7998, 5 calls a day',
    'header X-Key from CATALOG_SECRET_WEATHER, user octroi with the password from file weather-password',
    'certificate from file a.pem, key from file a.key',
    '/up every 15 s',
    'any',
  ];
  for (const each of words) expect(texts).toContain(`→ ${each}`);
  const added = compareCatalogs(
    changed(() => undefined),
    after,
  );
  for (const each of words) expect(added[0]?.change).toContain(`: ${each}`);
});

const documented = (text: string) => changed((product) => ({ ...product, openapi: { file: 'a.json', sha256: text } }));

test('another document of the same name is a change of it', () => {
  expect(compareCatalogs(documented('{}'), documented('{} '))).toEqual([
    expect.objectContaining({ change: 'OpenAPI document changed' }),
  ]);
  expect(compareCatalogs(documented('{}'), documented('{}'))).toEqual([]);
});

const withGateway = (gateway: object): Catalog =>
  changed((product) => ({ ...product, gateway: gatewayOptions.parse(gateway) }));

const withKey = (key: string) =>
  withGateway({
    requestHeaders: { add: { 'X-Api-Key': key }, pass: ['Cookie'] },
    responseHeaders: { add: { 'X-Team': key }, drop: ['Server'] },
    health: { path: `/up?key=${key}` },
  });

test('the value of a header and the query of a health check, which may be keys, are never shown', () => {
  const made = compareCatalogs(before, withKey('s3cret-1')).map(({ change }) => change);
  expect(made).toContain('requestHeaders changed: none → adds X-Api-Key; passes Cookie');
  expect(made).toContain('responseHeaders changed: none → adds X-Team; drops Server');
  const again = compareCatalogs(withKey('s3cret-1'), withKey('s3cret-2')).map(({ change }) => change);
  expect(again).toEqual(['health check changed', 'requestHeaders changed', 'responseHeaders changed']);
  const added = compareCatalogs(
    changed(() => undefined),
    withKey('s3cret-1'),
  );
  expect(JSON.stringify([made, again, added])).not.toContain('s3cret');
});

test.each([
  ['timeoutMs', 2000],
  ['maxBodyBytes', 100_000_000],
  ['connections', 5],
  ['retries', 0],
  ['tls', { ca: 'ca.pem' }],
  ['health', { path: '/up' }],
])('taking %s away is a change', (name, value) => {
  const [was, is] = [withGateway({ [name]: value }), withGateway({})];
  expect(compareCatalogs(was, is)).toHaveLength(1);
});

const bulk = { id: 'bulk', name: 'Bulk', method: 'POST' as const, path: '/v1/bulk', units: 10 };
const listed = (metered: object[]) =>
  changed((product) => ({ ...product, metered: metered.map((each) => ({ ...bulk, ...each })) }));
const operationChanges = (old: object[], now: object[]) =>
  compareCatalogs(listed(old), listed(now))
    .filter(({ change }) => change.startsWith('operation '))
    .map(({ change, affects }) => `${change} | ${affects}`);

test('an operation with another id, or another call under its id, concerns the plans that were sold with it', () => {
  expect(operationChanges([{}], [{ id: 'bulkLookup' }])).toEqual([
    expect.stringMatching(
      /^operation bulk \(POST \/v1\/bulk\) is called bulkLookup \| Every customer whose plan was sold with it, from the next call on: a call is 1 unit.*refuses it\. With the id bulk/,
    ),
  ]);
  expect(operationChanges([{}], [])).toEqual([expect.stringContaining('is no longer listed | Every customer')]);
  expect(operationChanges([{}], [{ path: '/v2/bulk' }])).toEqual([
    expect.stringContaining('operation bulk is another call: POST /v1/bulk → POST /v2/bulk | Every customer'),
  ]);
  const swapped = [{ path: '/v1/one' }, { id: 'one' }];
  expect(operationChanges([{}, { id: 'one', path: '/v1/one' }], swapped)).toHaveLength(2);
  expect(operationChanges([{}], [{ units: 20, name: 'Many' }])).toEqual([]);
});

test('an operation that takes calls of one that was listed concerns the plans that were sold before', () => {
  const list = { id: 'list', path: '/v1/lists/{id}' };
  expect(operationChanges([list], [list, { path: '/v1/lists/bulk' }])).toEqual([
    expect.stringContaining('operation bulk (POST /v1/lists/bulk) takes calls that were of list | Every customer'),
  ]);
  expect(operationChanges([list], [list, { path: '/v1/others/bulk' }])).toEqual([]);
});

test('a plan whose operations changed their ids is not said to keep its terms', () => {
  const after = changed((product) => ({
    ...product,
    metered: [{ ...bulk, id: 'bulkLookup' }],
    plans: product.plans.map((plan) => ({ ...plan, costs: { bulkLookup: { units: 10 } } })),
  }));
  expect(compareCatalogs(listed([{}]), after).filter(({ affects }) => affects.includes('keep their terms'))).toEqual(
    [],
  );
});
