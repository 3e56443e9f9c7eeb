import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { PageProcess } from './page-process.ts';
import type { SiteSource } from './site-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));

const none = { en: [], hi: [] };
const source = z.custom<SiteSource>().parse({
  products: none,
  guides: none,
  legal: new Map(),
  documents: new Map(),
  status: { asOf: 0, products: [] },
  frame: {
    portalUrl: 'http://localhost',
    styles: [],
    fonts: { en: [], hi: [] },
    colours: '',
    icon: '',
    providerName: 'P',
    pictureLook: '',
    pictureNameAt: null,
  },
});

const opened: PageProcess[] = [];
afterAll(() => {
  for (const each of opened) each.end();
});

/** A process whose renderer does something of ours before it renders a page or reads a document, and what it logs. */
function startProcess(work: { page?: string; document?: string }) {
  const renderer = join(mkdtempSync(join(folder, 'renderer-')), 'render.mjs');
  writeFileSync(
    renderer,
    `import { existsSync, writeFileSync } from 'node:fs';
const isFirst = (name) => !existsSync(import.meta.filename + name) && (writeFileSync(import.meta.filename + name, ''), true);
export const ready = async () => {};
export const outlineOf = ({ name }) => { ${work.document ?? ''}; return { operations: [name], tags: [] }; };
export const describe = () => ({ title: '', description: '', picture: { title: '', text: '' } });
export const render = ({ path, content }) => {
  if (content.kind !== 'unshown') { ${work.page ?? ''} }
  return '<main>' + content.kind + ' ' + path + '</main>';
};
`,
  );
  const logged: unknown[] = [];
  const pages = new PageProcess(renderer, { warn: (facts: object) => void logged.push(facts) });
  opened.push(pages);
  const read = async (path: string) => {
    const { status, identity } = await pages.page({ language: 'en', path, form: 'html' });
    return [status, Buffer.from(identity).toString()];
  };
  return { pages, read, logged };
}

test('a page that never comes to an end is refused from then on, and the other pages come', async () => {
  const { pages, read, logged } = startProcess({ page: "if (path === '/pricing') for (;;);" });
  await pages.open(source);
  expect(await Promise.all([read('/pricing'), read('/apis')])).toEqual([
    [503, '<main>unshown /pricing</main>'],
    [200, '<main>apis /apis</main>'],
  ]);
  const before = performance.now();
  expect((await read('/pricing'))[0]).toBe(503);
  expect(performance.now() - before).toBeLessThan(5000);
  expect(logged).toMatchObject([{ making: '/pricing', err: { reason: 'too_much' } }]);
});

test('a page whose process was killed from outside is made again, and refused when that happens twice', async () => {
  const kill = "process.kill(process.pid, 'SIGKILL'); for (;;);";
  const { pages, read, logged } = startProcess({
    page: `if (path === '/pricing' && isFirst('killed')) { ${kill} } if (path === '/status') { ${kill} }`,
  });
  await pages.open(source);
  expect(await read('/pricing')).toEqual([200, '<main>pricing /pricing</main>']);
  expect(logged).toMatchObject([{ making: '/pricing', err: { reason: 'killed' } }]);
  await expect(read('/status')).rejects.toMatchObject({ reason: 'killed' });
  expect(await read('/status')).toEqual([503, '<main>unshown /status</main>']);
});

test('a document that can’t be read to its end costs its own reference, and every other page comes', async () => {
  const { pages, read } = startProcess({ document: "if (name === 'endless') for (;;);" });
  const products = ['good', 'endless'].map((id) => ({ id }));
  const documents = new Map(products.map(({ id: name }) => [name, Buffer.from(JSON.stringify({ name }))]));
  const paths = await pages.open({
    ...source,
    ...z.custom<SiteSource>().parse({ products: { en: products, hi: products }, documents }),
  });
  expect(paths.filter((path) => path.includes('reference'))).toEqual([
    '/apis/good/reference',
    '/apis/good/reference/good',
    '/apis/endless/reference',
  ]);
  expect(await read('/apis/endless/reference')).toEqual([503, '<main>unshown /apis/endless/reference</main>']);
  expect((await read('/apis/good/reference'))[0]).toBe(200);
});
