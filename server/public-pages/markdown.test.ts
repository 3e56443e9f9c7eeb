import { expect, test } from 'vitest';
import { markdownOf } from './markdown.ts';

const page = (main: string): string => `<!doctype html><html><body><main>${main}</main></body></html>`;
const markdown = (main: string): string => markdownOf(page(main), 'https://portal.example');

test('a page has its headings, lists, tables, code and links in Markdown', () => {
  const list = '<ul><li><b>id</b><span>string</span><details><ul><li>inner</li></ul></details></li><li>next</li></ul>';
  const table = '<table><tr><th>Code</th><th>Why</th></tr><tr><td><code>a|b</code></td><td>None</td></tr></table>';
  expect(markdown(`<h1>Look up</h1><p>Reads <b>one</b>  <a href="/apis">API</a>.</p>${list}${table}`)).toBe(
    [
      '# Look up\n\nReads **one** [API](https://portal.example/apis).\n',
      '- **id** string\n\n  - inner\n\n- next\n',
      '| Code | Why |\n| --- | --- |\n| `a\\|b` | None |\n',
    ].join('\n'),
  );
});

test('code stays as it is, also with tags and backticks', () => {
  expect(markdown('<pre>if (a &lt; b)\n  <span>x</span> = *y*</pre><p><code>a`b</code></p>')).toBe(
    '```\nif (a < b)\n  x = *y*\n```\n\n``a`b``\n',
  );
  expect(markdown('<pre>```\n\n```</pre>')).toBe('````\n```\n\n```\n````\n');
});

test('a link that is a card is an entry of a list, and texts that look like Markdown are none', () => {
  expect(markdown('<a href="/x"><h2>Name</h2><p>About <b>it</b></p></a><p># 1_a *b* &lt;i&gt;</p><p>1. c</p>')).toBe(
    '- [Name](https://portal.example/x): About it\n\n\\# 1_a \\*b\\* \\<i>\n\n1\\. c\n',
  );
});

test('what a screen reader skips is left out, and a page without a main part is empty', () => {
  expect(markdown('<p>a<svg><path/></svg><span aria-hidden="true">b</span></p><script>c</script>')).toBe('a\n');
  expect(markdownOf('<p>a</p>', '').trim()).toBe('');
});

test('a page that would keep the portal busy only says where it is', () => {
  const head = '<title>Invoices</title><link rel="canonical" href="https://portal.example/apis/x"/>';
  const html = `${head}${page('<span>a</span> of <b>b</b>'.repeat(40_000))}`;
  expect(markdownOf(html, '')).toBe(
    '# Invoices\n\nThis page is too long for Markdown. It stands at https://portal.example/apis/x, with a link to the whole OpenAPI document.\n',
  );
});
