import { expect, test } from 'vitest';
import { buildPage } from './test-build.ts';
import { themeCss } from './theme-css.ts';

test('the style sheet has the variables of the theme, for both colour schemes', async () => {
  const output = await buildPage(
    { 'index.html': '<link rel="stylesheet" href="./ui/theme.css">', 'ui/theme.css': '/* Nothing yet */' },
    [themeCss()],
  );
  const sheet = output.find(({ fileName }) => fileName.endsWith('.css'));
  const css = sheet?.type === 'asset' ? String(sheet.source) : '';
  const [, always = '', dark = '', light = ''] =
    /^:root\{(.*?)\}.*?dark.*?\{(.*?)\}.*?light.*?\{(.*?)\}/s.exec(css) ?? [];
  expect(always).toContain('--mantine-color-brand-7:#106641');
  for (const scheme of [dark, light]) expect(scheme).toMatch(/--p-text:var\(--mantine-color-(dark-0|gray-9)\)/);
  // Mantine's own style sheet has what the theme leaves as it is.
  expect(css).not.toContain('--mantine-color-grape-1');
});
