import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '#platform/project-folder.ts';
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
