import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { readSafeImage } from '#catalog/safe-image.ts';

const folder = mkdtempSync(join(tmpdir(), 'images-'));
function imageOf(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}
const drawingOf = (content: string): string =>
  readSafeImage(imageOf('drawing.svg', content), 65_536).content.toString('utf8');

test('an SVG keeps its shapes and paints', () => {
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><defs><linearGradient id="a"><stop offset="0" stop-color="#0a7"></stop></linearGradient></defs><path d="M1 1h2" fill="url(#a)" stroke-linecap="round"></path></svg>';
  expect(drawingOf(drawing)).toBe(drawing);
  expect(drawingOf('<?xml version="1.0"?><!-- made by hand --><svg viewBox="0 0 2 2"><path d="M1 1h2"/></svg>')).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path d="M1 1h2"></path></svg>',
  );
});

test.each([
  '<script>alert(1)</script>',
  '<g onload="alert(1)"/>',
  '<a href="javascript:alert(1)"/>',
  '<use href="https://evil.example/a.svg#b"/>',
  '<use xlink:href="data:image/svg+xml,evil"/>',
  '<image href="https://evil.example/a.png"/>',
  '<path fill="url(//evil.example)"/>',
  `<path fill="URL( 'https://evil.example' )"/>`,
  String.raw`<path fill="u\72l(https://evil.example)"/>`,
  String.raw`<path fill="ur\6c (https://evil.example)"/>`,
  '<path fill="u/**/rl(https://evil.example)"/>',
  '<path fill="src(&quot;https://evil.example&quot;)"/>',
  '<path mask="image-set(&quot;https://evil.example&quot; 1x)"/>',
  '<path mask="-webkit-image-set(url(#a) 1x, &quot;https://evil.example&quot; 2x)"/>',
  '<path fill="url(#a) url(https://evil.example)"/>',
  '<path fill="url( &quot;#a&quot; , https://evil.example)"/>',
  '<path fill="var(--x, url(https://evil.example))"/>',
  '<foreignObject><body onload="alert(1)"/></foreignObject>',
  '<animate attributeName="href" values="javascript:alert(1)"/>',
  '<set attributeName="onmouseover" to="alert(1)"/>',
  '<path style="background: url(https://evil.example)"/>',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<title><script>alert(1)</script></title>',
])('an SVG loses %s', (part) => {
  const drawing = drawingOf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2">${part}<circle r="1"/></svg>`);
  expect(drawing).toContain('<circle r="1">');
  expect(drawing).not.toMatch(/<script|\son\w+=|javascript:|evil|foreignObject|<animate|<set|style=/i);
});

test('an SVG keeps colours, gradients and transforms', () => {
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path d="M1 1h2" fill="url(#a)" stroke="rgba(0, 10, 20, 0.5)" transform="translate(1 2) rotate(45)"></path></svg>';
  expect(drawingOf(drawing)).toBe(drawing);
});

/** Levels of which each draws the one below ten times. */
const nested = (levels: number, part: (id: string) => string) =>
  Array.from({ length: levels }, (_, level) => `<g id="l${level + 1}">${part(`l${level}`).repeat(10)}</g>`).join('');

test.each([
  ['nested uses', nested(30, (id) => `<use href="#${id}"/>`)],
  ['nested patterns', nested(30, (id) => `<rect fill="url(#${id})"/>`)],
  ['an element that uses itself', '<g id="a"><use href="#a"/></g>'],
  ['too deep groups', '<g>'.repeat(300) + '</g>'.repeat(300)],
  ['too many shapes', '<path/>'.repeat(6000)],
])('an SVG with %s is refused at once', (_, part) => {
  const drawing = `<svg viewBox="0 0 2 2"><circle id="l0" r="1"/>${part}<use href="#l30"/></svg>`;
  expect(() => drawingOf(drawing)).toThrow(/elements. Simplify it/);
});

test('PNG files keep their bytes, and say their size', () => {
  const picture = readSafeImage(projectFolder('docs', 'pictures', 'usage.png'), 1_000_000);
  expect(picture).toMatchObject({ type: 'image/png', hash: expect.stringMatching(/^[0-9a-f]{16}$/) });
  expect(picture.width).toBeGreaterThan(100);
});

test('other files are refused with a remedy', () => {
  expect(() => readSafeImage(join(folder, 'none.svg'), 10)).toThrow(/there is no file/);
  expect(() => readSafeImage(imageOf('a.svg', 'just text'), 100)).toThrow(/Save it as one of these/);
  expect(() => readSafeImage(imageOf('a.png', 'GIF89a\u0001\u0000\u0001\u0000'), 100)).toThrow(/no SVG/);
  expect(() => readSafeImage(imageOf('a.svg', '<svg viewBox="0 0 1 1"></svg>'), 10)).toThrow(/at most 0 KB/);
  expect(() => drawingOf('<svg viewBox="0 0 9 9"><style>.a{}</style></svg>')).toThrow(/presentation attributes/);
  expect(() => drawingOf('<svg viewBox="0 0 9999 9"></svg>')).toThrow(/Scale it down/);
});
