import { expect, test } from 'vitest';
import { preloadFont } from './preload-font.ts';
import { buildPage, pageOf } from './test-build.ts';

test('preloads the matching font and no other', async () => {
  const output = await buildPage(
    {
      'index.html': '<head><link rel="stylesheet" href="./a.css"></head>',
      'a.css': '@font-face { font-family: A; src: url(./a.woff2), url(./b.woff2) } body { font-family: A }',
      'a.woff2': 'a',
      'b.woff2': 'b',
    },
    [preloadFont(/^assets\/a-.*\.woff2$/)],
  );
  const links = [...pageOf(output).matchAll(/<link[^>]*rel="preload"[^>]*>/g)].map(([link]) => link);
  expect(links).toEqual([expect.stringMatching(/href="\/assets\/a-[^"]+\.woff2"[^>]*as="font"/)]);
});
