import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { draftProduct } from './draft-product.ts';

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
  const draft = draftProduct(documentOf('/v1/rain'), { position: 9, ...choices }, { 'weather.yaml': onSale });
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
