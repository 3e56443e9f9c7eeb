import { expect, test } from 'vitest';
import { z } from 'zod';
import type { PublicPage } from '#shared/contract/public-pages.ts';
import { PageMaker } from './page-maker.ts';
import type { SiteSource } from './site-source.ts';

/** Counts the pages that it renders. */
function countingMaker() {
  let rendered = 0;
  const maker = new PageMaker({
    ready: async () => {},
    outlineOf: () => ({ operations: ['rain'], tags: [] }),
    describe: ({ path }: PublicPage) => ({ title: path, description: '', picture: { title: '', line: '' } }),
    render: ({ path }: PublicPage) => {
      rendered += 1;
      return `<main>${path}</main>`;
    },
  });
  const search = async (): Promise<number> => {
    const before = rendered;
    expect(await maker.find({ query: 'rain', language: 'en' })).not.toEqual([]);
    return rendered - before;
  };
  return { maker, search };
}

/** As it comes from the other process: nothing of it is the same object twice. */
function sourceWith(name: string, document = '{}', asOf = 0): SiteSource {
  const products = [{ id: 'weather', name }];
  return z.custom<SiteSource>().parse({
    products: { en: products, hi: products },
    guides: { en: [], hi: [] },
    legal: new Map([['terms', { en: { text: 'Terms' }, hi: { text: 'शर्तें' } }]]),
    documents: new Map([['weather', Buffer.from(document)]]),
    status: { asOf, products: [] },
    frame: { portalUrl: 'http://localhost', styles: [], icon: '', providerName: 'P', pictureLook: '' },
  });
}

test('the search index stays when a new day changes no page, and is made again when a product, a price or a document changes', async () => {
  const { maker, search } = countingMaker();
  const pages = await maker.open(sourceWith('Weather'));
  expect(pages).toContain('/apis/weather/reference/rain');
  expect(await search()).toBeGreaterThan(0);
  expect(await maker.open(sourceWith('Weather', '{}', 1))).toEqual(pages);
  expect(await search()).toBe(0);
  await maker.open(sourceWith('Weather and tides'));
  expect(await search()).toBeGreaterThan(0);
  await maker.open(sourceWith('Weather and tides', '{"info": {}}'));
  expect(await search()).toBeGreaterThan(0);
  expect(await search()).toBe(0);
});
