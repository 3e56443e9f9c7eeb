import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { InlineProse, Prose } from '#web/features/reference/prose.tsx';

const shown = (text: string) => renderToStaticMarkup(<Prose text={text} />);

test('descriptions are shown as Markdown: paragraphs, lists, tables, code, links', () => {
  const html = shown(
    'One **bold** `code`.\n\nTwo [docs](https://example.com/docs)\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```json\n{"a": 1}\n```\n\n# Title',
  );
  for (const part of ['<strong>bold</strong>', '<li>a</li>', '<th>x</th>', '<td>2</td>', '<h3', '<pre>'])
    expect(html).toContain(part);
  expect(html).toMatch(
    /<a class="link" href="https:\/\/example\.com\/docs" target="_blank" rel="noreferrer">docs<\/a>/,
  );
});

test('HTML that documents use for form becomes Markdown, and code stays as written', () => {
  const html = shown(
    'First<br>second <b>strong</b> <a href="https://a.example">site</a><ul><li>one</li></ul> `a <br> b`',
  );
  expect(html).toContain('<br/>');
  expect(html).toContain('<strong>strong</strong>');
  expect(html).toContain('href="https://a.example"');
  expect(html).toContain('<li>one</li>');
  expect(html).toContain('a &lt;br&gt; b');
});

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<iframe src="https://evil.example"></iframe>',
  '<form action="https://evil.example"><input name="key"></form>',
  '<svg onload=alert(1)>',
  '![x](https://evil.example/pixel.png)',
  '[x](javascript:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '<a href="javascript:alert(1)">x</a>',
  '<style>*{display:none}</style>',
])('%s is only text', (text) => {
  for (const html of [shown(text), shown(`a ${text} b`), renderToStaticMarkup(<InlineProse text={text} />)]) {
    expect(html).not.toMatch(/<(?:script|img|iframe|form|input|svg|style)\b|href="(?!https:)/i);
  }
});
