import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { emptyCatalog } from '#catalog/test-catalog.ts';
import { readCatalog } from '#catalog/catalog-files.ts';
import { inLanguage } from '#catalog/catalog-texts.ts';

const file = (name: string, id = 'weather', plan = 'Free', position = 1) => `id: ${id}
position: ${position}
name: ${name}
tagline: Rain and sun.
description: { en: Forecasts., hi: पूर्वानुमान। }
longDescription: Forecasts for every place.
features: [{ title: { en: Fast, hi: तेज़ }, text: Very. }]
useCases: [{ title: Farms, text: When to sow. }]
sample: { request: GET /v1/today, answer: "{}" }
operations: { today: { en: Weather today, hi: आज का मौसम } }
gatewayPath: ${id}
upstreamUrl: http://127.0.0.1:9
sac: '998439'
gstRatePercent: 18
plans:
  - { id: free, category: standard, name: ${plan}, description: Free., price: 0, dailyQuota: 1, monthlyQuota: 1, rps: 1, benefits: [{ key: daily, value: 1, display: { en: One a day, hi: प्रतिदिन एक } }] }
`;

function folderOf(...files: readonly string[]): string {
  const path = emptyCatalog();
  files.forEach((content, index) => writeFileSync(join(path, `${index + 1}.yaml`), content));
  return path;
}

test('a text may be given per language; English is what is sold, and stands in where Hindi is missing', () => {
  const catalog = readCatalog(folderOf(file('{ en: Weather API, hi: मौसम API }', 'weather', '{ en: Free, hi: मुफ़्त }')));
  const [product] = catalog.products;
  expect([product?.name, product?.plans[0]?.name, product?.operations]).toEqual([
    'Weather API',
    'Free',
    { today: 'Weather today' },
  ]);
  const texts = ['Weather API', 'Free', 'One a day', 'Weather today', 'Fast', 'Rain and sun.', 'Sold long ago'];
  expect(texts.map(inLanguage(catalog, 'hi'))).toEqual([
    'मौसम API',
    'मुफ़्त',
    'प्रतिदिन एक',
    'आज का मौसम',
    'तेज़',
    'Rain and sun.',
    'Sold long ago',
  ]);
  expect(texts.map(inLanguage(catalog, 'en'))).toEqual(texts);
});

test('a text without English or with an unknown language is refused with its line', () => {
  expect(() => readCatalog(folderOf(file('{ hi: मौसम API }')))).toThrow(/1\.yaml:3: name\.en: /);
  expect(() => readCatalog(folderOf(file('{ en: Weather API, xx: Wetter }')))).toThrow(/1\.yaml:3: name: .*xx/);
  expect(() => readCatalog(folderOf(file('12')))).toThrow(/1\.yaml:3: name: /);
});

test('one English text has one translation in all products; the error names both places', () => {
  const two = folderOf(file('A', 'weather', '{ en: Free, hi: मुफ़्त }'), file('B', 'rain', '{ en: Free, hi: निःशुल्क }', 2));
  expect(() => readCatalog(two)).toThrow(
    '2.yaml:16: "Free" is translated in another way at 1.yaml:16. Use one translation for both.',
  );
});

/** English texts of a product file beside which there is no Hindi. */
function untranslated(value: unknown, path: string): string[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null || 'hi' in value) return [];
  return Object.entries(value).flatMap(([name, each]) => untranslated(each, `${path}.${name}`));
}

// A provider may have replaced them, with products in English alone.
test.each(
  ['tax-lookup-api.yaml', 'invoicing-system.yaml'].filter((name) => existsSync(join(import.meta.dirname, name))),
)('all texts of the product in %s are in Hindi too', (name) => {
  const product: Record<string, unknown> = parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
  if (typeof product['name'] === 'string') return;
  const shown = [
    'tagline',
    'description',
    'longDescription',
    'features',
    'useCases',
    'operations',
    'tags',
    'categories',
  ];
  const missing = untranslated(Object.fromEntries(shown.map((field) => [field, product[field]])), name);
  const plans = untranslated(product['plans'], name).filter((path) => /\.(name|description|badge|display)$/.test(path));
  expect([...missing, ...plans]).toEqual([]);
});
