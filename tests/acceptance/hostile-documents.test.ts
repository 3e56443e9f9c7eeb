import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { draftProduct } from '#catalog/draft-product.ts';
import { copiedSchema, doubledSchemas, longTexts, wideSchema } from '#shared/domain/test-hostile.ts';
import { createProvider, type Provider } from './provider.ts';

/** OpenAPI documents of strangers that once froze or ended a portal, in the catalogue of one that runs as it is built. */

const operation = (schema: object, description: string) => ({
  post: {
    summary: 'Rain of a day',
    description,
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 200: { description: 'Done', content: { 'application/json': { schema } } } },
  },
});
const documentOf = (title: string, paths: Record<string, object>, schemas: object = {}): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title, version: '1' },
    servers: [{ url: 'http://127.0.0.1:9' }],
    paths,
    components: { schemas },
  });

const text = { type: 'string' };
const length = 1_000_000;
/** A page of each takes seconds to lay out, or once did. */
const prose = ['**a', '- a\n', '> ', '[x]:', '<a '];
const described = (descriptions: readonly string[]): Record<string, object> =>
  Object.fromEntries(descriptions.map((description, index) => [`/v1/rain${index}`, operation(text, description)]));

const hostile = {
  nested: documentOf('Nested', { '/v1/rain': operation({ $ref: '#/components/schemas/S0' }, 'Rain') }, doubledSchemas),
  wide: documentOf('Wide', { '/v1/rain': operation(copiedSchema, 'Rain') }, { Wide: wideSchema(20_000) }),
  long: documentOf('Long', { '/v1/rain': operation(longTexts, 'Rain') }),
  prose: documentOf('Prose', described(prose.map((piece) => `${piece.repeat(length / piece.length)}x`))),
};
const documents = { ...hostile, friendly: documentOf('Friendly', described(['Rain that fell on a day at a place.'])) };

let provider: Provider;
beforeAll(async () => {
  provider = await createProvider();
  const folder = join(provider.folder, 'catalog');
  mkdirSync(folder);
  const onSale: Record<string, string> = {};
  for (const document of Object.values(documents)) {
    for (const { path, content } of draftProduct(document, {}, onSale).files) {
      const file = Buffer.from(content, 'base64');
      writeFileSync(join(folder, path), file);
      if (path.endsWith('.yaml')) onSale[path] = file.toString();
    }
  }
  await provider.start({});
}, 600_000);
afterAll(() => provider.remove());

async function read(path: string): Promise<{ status: number; body: string }> {
  const response = await fetch(provider.place.portalUrl + path);
  return { status: response.status, body: await response.text() };
}

const ask = (path: string): Promise<unknown> => read(path).then(({ status }) => status, String);

/** While it works, others ask for the sign-in ten times a second, and each of them gets it. Returns how often they asked. */
async function signingInDuring(work: () => Promise<void>): Promise<number> {
  const asks: Promise<unknown>[] = [];
  const asking = setInterval(() => asks.push(ask('/login'), ask('/backend/health')), 100);
  try {
    await work();
  } finally {
    clearInterval(asking);
  }
  expect((await Promise.all(asks)).filter((status) => status !== 200)).toEqual([]);
  return asks.length;
}

/** A page each of an API's reference, in both languages. */
const operationsOf = (id: string, page: string): string[] =>
  [...new Set([...page.matchAll(new RegExp(`/apis/${id}/reference/[\\w-]+`, 'g'))].map(([path]) => path))].flatMap(
    (path) => [path, `/hi${path}`],
  );

const saysSo = /could not be shown|नहीं दिखाया/;

test('while a stranger’s documents are shown to a visitor, nobody is refused the sign-in, and what can’t be shown says so', async () => {
  await vi.waitUntil(async () => (await read('/apis/friendly/reference')).status === 200, {
    timeout: 120_000,
    interval: 500,
  });
  const asked = await signingInDuring(async () => {
    for (const id of Object.keys(hostile)) {
      const reference = await read(`/apis/${id}/reference`);
      expect([id, reference.status]).toEqual([id, 200]);
      const pages = operationsOf(id, reference.body);
      expect(pages.length).toBeGreaterThan(0);
      for (const path of [...pages, ...pages.map((page) => `${page}.md`)]) {
        const { status, body } = await read(path);
        const isRefused = status === 503 && saysSo.test(body);
        expect([path, isRefused || status === 200]).toEqual([path, true]);
      }
    }
    expect((await read('/search?q=rain')).body).toContain('/apis/friendly/reference/');
    expect((await read('/hi/search?q=rain')).status).toBe(200);
  });
  expect(asked).toBeGreaterThan(10);
  for (const path of ['/apis', '/pricing', '/apis/friendly', '/hi/apis/prose', '/llms.txt', '/sitemap.xml'])
    expect([path, (await read(path)).status]).toEqual([path, 200]);
}, 600_000);
