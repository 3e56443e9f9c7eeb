import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { PageProcess } from './page-process.ts';
import type { SiteSource } from './site-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Renders the path of a page, and one of them without an end. */
const renderer = join(folder, 'render.mjs');
writeFileSync(
  renderer,
  `export const ready = async () => {};
export const outlineOf = () => ({ operations: [], tags: [] });
export const describe = () => ({ title: '', description: '', picture: { title: '', text: '' } });
export const render = ({ path, content }) => {
  if (content.kind !== 'unshown' && path === '/pricing') for (;;);
  return '<main>' + content.kind + ' ' + path + '</main>';
};
`,
);

test('a page that never comes to an end is refused from then on, and the other pages come', async () => {
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
    },
  });
  const pages = new PageProcess(renderer);
  await pages.open(source);
  const read = async (path: string) => {
    const { status, identity } = await pages.page({ language: 'en', path, form: 'html' });
    return [status, Buffer.from(identity).toString()];
  };
  expect(await Promise.all([read('/pricing'), read('/apis')])).toEqual([
    [503, '<main>unshown /pricing</main>'],
    [200, '<main>apis /apis</main>'],
  ]);
  const before = performance.now();
  expect((await read('/pricing'))[0]).toBe(503);
  expect(performance.now() - before).toBeLessThan(5000);
  pages.end();
});
