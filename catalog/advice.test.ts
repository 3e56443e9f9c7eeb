import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { adviceOf } from './advice.ts';
import { readCatalog } from './catalog-files.ts';

const { products, guides } = readCatalog(projectFolder('ship', 'standins', 'catalog'));
const [sold] = products;
if (sold === undefined) throw new Error('The catalogue has no products');
const documentWith = (operation: object, more: object = {}) =>
  Buffer.from(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Weather', version: '1' },
      paths: { '/v1/a': { get: operation }, '/v1/b': { get: { responses: {} } }, '/v1/c': { get: operation } },
      ...more,
    }),
  );
const whole = {
  ...sold,
  sandbox: { upstreamUrl: 'https://sandbox.example.com', dailyCalls: 1000 },
  changelog: [{ on: '2026-11-01', text: 'First' }],
  openapi: { file: 'openapi.json', sha256: '' },
};
const wholeDocument = documentWith(
  { responses: {}, parameters: [{ name: 'a', in: 'query', example: 'x' }] },
  { 'x-agentic-access': {} },
);
const missingOf = (product: object, document = wholeDocument) =>
  adviceOf({ products: [{ ...whole, ...product }], guides }, new Map([['openapi.json', document]])).map(
    ({ missing }) => missing,
  );

test('a catalogue that has it all needs no advice', () => {
  expect(guides.length).toBeGreaterThan(0);
  expect(missingOf({})).toEqual([]);
  expect(adviceOf({ products: [], guides: [] }, new Map())).toMatchObject([{ missing: 'no guides' }]);
});

test('what programs would miss of a product is advised', () => {
  expect(missingOf({ sandbox: undefined })).toEqual(['no sandbox']);
  expect(missingOf({ changelog: [] })).toEqual(['an empty change log']);
  expect(missingOf({ plans: whole.plans.map((plan) => ({ ...plan, customers: ['a@example.com'] })) })).toEqual([
    'no public price',
  ]);
  expect(missingOf({}, documentWith({ responses: {} }))).toEqual([
    'examples of 3 of 3 operations',
    'what programs may do by themselves',
  ]);
});
