import { afterAll, beforeAll, expect, test } from 'vitest';
import { inLanguage } from '#catalog/catalog-texts.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { listHistory } from '#shared/contract/invoices.ts';
import { activatePlan, listPlans, listProducts } from '#shared/contract/marketplace.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { languageOf, translationOf } from './reply-language.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
});
afterAll(() => portal.close());

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['hi', 'hi'],
  ['hi-IN,hi;q=0.9,en;q=0.8', 'hi'],
  ['en-IN, hi;q=0.9', 'en'],
  ['en;q=0.5, hi;q=0.6', 'hi'],
  ['hi;q=0', 'en'],
  ['fr, hi;q=0.4', 'hi'],
  ['*, hi;q=0.4', 'en'],
  [';;;q=x,,', 'en'],
])('Accept-Language %j asks for %s', (header, language) => {
  expect(languageOf(header)).toBe(language);
});

test('replies have the catalogue’s texts in the language that the request asks for', async () => {
  const token = await portal.newCustomer();
  const [product] = portal.portal.catalog.products;
  if (product === undefined) throw new Error('no product');
  await portal.ask(activatePlan, { params: { id: product.id, planId: product.plans[0]?.planId ?? '' } }, token);
  const toHindi = inLanguage(portal.portal.catalog, 'hi');
  const read = async (path: string, language: string): Promise<unknown> => {
    const response = await fetch(`${portal.portalUrl}/backend${path}`, {
      headers: { authorization: `Bearer ${token}`, 'accept-language': language },
    });
    expect(response.headers.get('content-language')).toBe(language);
    return response.json();
  };
  const [activation] = listActivations.reply.parse(await read('/customer/activations', 'en')).activations;
  for (const [path, reply] of [
    ['/marketplace', listProducts.reply],
    [`/marketplace/${product.id}/plans`, listPlans.reply],
    ['/customer/activations', listActivations.reply],
    [`/billing/history/${activation?.id}`, listHistory.reply],
  ] as const) {
    const [english, hindi] = await Promise.all([read(path, 'en'), read(path, 'hi')]);
    expect(JSON.stringify(hindi)).not.toBe(JSON.stringify(english));
    expect(reply.parse(hindi)).toEqual(reply.parse(translationOf(reply)?.(english, toHindi)));
  }
  expect(JSON.stringify(await read('/marketplace', 'en'))).toContain(`"name":${JSON.stringify(product.name)}`);
  expect(JSON.stringify(await read('/marketplace', 'hi'))).toContain(JSON.stringify(toHindi(product.name)));
});
