import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { DocumentReader } from '#server/public-pages/documents.ts';
import type { LoadedRenderer } from '#server/public-pages/renderer.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { rendererOfSource } from './renderer-of-source.ts';
import { serveDocument } from './serve-document.ts';

/** The public pages of documents that nobody here wrote. */

let portal: TestPortal;
let publicPages: LoadedRenderer;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false });
  publicPages = await rendererOfSource();
});
afterAll(() => portal.close());

const wide = (count: number, property: object) => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, property])),
});
const operation = (operationId: string, schema: object) => ({
  operationId,
  responses: { 200: { description: 'OK', content: { 'application/json': { schema } } } },
});
const documentOfOthers = {
  openapi: '3.0.3',
  info: { title: 'Of others', version: '1' },
  paths: {
    '/size': { get: operation('größe', wide(3, { type: 'string' })) },
    '/readme': { get: operation('readme', { type: 'string' }) },
    '/readme.md': { get: operation('readme.md', { type: 'string' }) },
    '/merged': { get: operation('merged', { $ref: '#/components/schemas/S0' }) },
    '/wide': { get: operation('wide', wide(80, wide(80, { type: 'string' }))) },
  },
  components: {
    schemas: Object.fromEntries(
      Array.from({ length: 14 }, (_, index) => {
        const next = { $ref: `#/components/schemas/S${index + 1}` };
        return [`S${index}`, index === 13 ? { type: 'object' } : { allOf: [next, next, next] }];
      }),
    ),
  },
};

/** A portal of which it is the products' document. */
async function openOthers(document: object = documentOfOthers) {
  const server = await serveDocument(document);
  const settings = { ...portal.portal.settings, gatewayUrl: server.url };
  const other = await buildApp({ ...portal.portal, settings }, { publicPages });
  const sitemap = (await other.inject({ url: '/sitemap.xml' })).body;
  return {
    other,
    /** The address of an operation's page. */
    placeOf: (slug: string): string => new RegExp(`/apis/[^/<]+/reference/${slug}(?=<)`).exec(sitemap)?.[0] ?? '',
    close: async () => {
      await other.close();
      await server.close();
    },
  };
}

test('an operation may be called in any script, and its page has so many fields and a link to the document', async () => {
  const { other, placeOf, close } = await openOthers();
  const at = async (url: string) => (await other.inject({ url })).body;
  const place = placeOf('gr%C3%B6%C3%9Fe');
  expect(await at(place.replace(/[^/]+$/, '').slice(0, -1))).toContain(`href="${place}"`);
  const more = 'This page does not show every field.';
  for (const address of [place, `/hi${place}`, `${place}.md`])
    expect([(await other.inject({ url: address })).statusCode, (await at(address)).includes(more)]).toEqual([
      200,
      false,
    ]);
  expect(await at('/llms.txt')).toContain(`${place}.md`);
  const page = await at(place.replace(/[^/]+$/, 'wide'));
  expect(page).toContain(more);
  // Of 6480.
  expect(page.split('<li>').length).toBeLessThan(2500);
  await close();
});

test('a page has its own words in each form, whatever form of another was read before', async () => {
  const { other, placeOf, close } = await openOthers();
  const place = placeOf('readme');
  const read = async (url: string, accept: string) => {
    const { body, headers } = await other.inject({ url, headers: { accept } });
    return [headers['content-type'], /\/readme(?:\.md)?(?=[<`\s])/.exec(body)?.[0], body.startsWith('<!')];
  };
  const markdown = 'text/markdown; charset=utf-8';
  const html = 'text/html; charset=utf-8';
  expect(await read(place, 'text/markdown')).toEqual([markdown, '/readme', false]);
  expect(await read(`${place}.md`, 'text/html')).toEqual([html, '/readme.md', true]);
  expect(await read(place, 'text/markdown;q=0, text/html')).toEqual([html, '/readme', true]);
  await close();
});

// On its way a schema that is merged three times at each of fourteen levels would be read five million times.
test('a page of schemas that are merged again and again is made at once', async () => {
  const { other, placeOf, close } = await openOthers();
  const place = placeOf('merged');
  for (const address of [place, `/hi${place}`, `${place}.md`]) {
    const { statusCode, body } = await other.inject({ url: address });
    expect([statusCode, body.includes('/merged')]).toEqual([200, true]);
  }
  await close();
});

const named = (tag: string, index: number) => ({
  get: { ...operation(`${tag}${index}`, { type: 'string' }), summary: `Read ${tag} ${index}`, tags: [tag] },
});

test('a document with many operations has a page for each tag, and one of thousands says only the names', async () => {
  const paths = Object.fromEntries(
    ['cats', 'dogs & co'].flatMap((tag, at) =>
      Array.from({ length: at === 0 ? 20 : 310 }, (_, index) => [`/${at}/${index}`, named(tag, index)] as const),
    ),
  );
  const { other, placeOf, close } = await openOthers({ ...documentOfOthers, paths });
  const at = async (url: string) => (await other.inject({ url })).body;
  const reference = placeOf('cats0').replace('/cats0', '');
  const overview = await at(reference);
  const [cats = '', dogs = ''] = [...overview.matchAll(/href="(\/apis\/[^/]+\/tags\/[^"]+)"/g)].map(([, to]) => to);
  expect([cats, dogs].map((each) => each.replace(/^.*\//, ''))).toEqual(['cats', 'dogs-co']);
  expect(overview).not.toContain('/reference/cats0"');
  expect((await at(cats)).split('<b>GET</b>')).toHaveLength(21);
  const names = await at(`/hi${dogs}`);
  expect([names.includes(`href="/hi${reference}/dogs-co309"`), names.includes('<b>GET</b>')]).toEqual([true, false]);
  expect(names).toContain('>Read dogs &amp; co 309<');
  expect(await at('/sitemap.xml')).toContain(`${cats}<`);
  await close();
});

test('a document that can not be read is told once, and so is its return', async () => {
  const server = await serveDocument(undefined);
  const settings = { ...portal.portal.settings, gatewayUrl: server.url };
  const reader = new DocumentReader({ settings, log: portal.portal.log });
  const { catalog } = portal.portal;
  const told = (text: string) =>
    portal.logLines.filter((line) => line.includes(server.url) && line.includes(text)).length / catalog.products.length;
  for (const _ of [1, 2, 3]) await reader.read(catalog);
  expect([told('could not be read'), told('can be read again')]).toEqual([1, 0]);
  server.document = documentOfOthers;
  for (const _ of [1, 2]) await reader.read(catalog);
  expect([told('could not be read'), told('can be read again')]).toEqual([1, 1]);
  await server.close();
});
