import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { PublicLanguage } from '#shared/contract/public-pages.ts';
import { GuideLead, GuideText } from '#web/public-pages/guide-text.tsx';

const shown = (body: string, language: PublicLanguage = 'en') => {
  const text = { title: 'Title', lead: body, description: '', body, language };
  return renderToStaticMarkup(<GuideText text={text} language={language} />);
};

test('headings have places to link to, in any script, each once and none of the page itself', () => {
  const html = shown('# One\n\n## Two words\n\n## Two words\n\n### कुंजी भेजें\n\n## Content\n\n## ???\n');
  expect([...html.matchAll(/<(h\d) id="([^"]*)"/g)].map(([, level, id]) => `${level} ${id}`)).toEqual([
    'h2 one',
    'h2 two-words',
    'h2 two-words-1',
    'h3 कुंजी-भेजें',
    'h2 content-1',
    'h2 content-1-1',
  ]);
});

test.each([
  ['[a](errors.md)', 'en', '/docs/errors'],
  ['[a](errors.md#what-counts)', 'hi', '/hi/docs/errors#what-counts'],
  ['[a](errors.hi.md)', 'hi', '/hi/docs/errors'],
  ['[a](#what-counts)', 'en', '#what-counts'],
  ['[a](/pricing)', 'hi', '/pricing'],
  ['[a](https://example.com/a)', 'en', 'https://example.com/a'],
  ['<mailto:help@example.com>', 'en', 'mailto:help@example.com'],
] as const)('%s in %s leads to %s', (text, language, address) => {
  expect(shown(text, language)).toContain(`<a class="link" href="${address}">`);
});

test.each([
  '[a](//evil.example)',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](data:text/html,<script>alert(1)</script>)',
  '[a](ftp://evil.example/errors.md)',
  '<script>alert(1)</script>',
  '<a href="javascript:alert(1)">a</a>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<style>*{display:none}</style>',
  '<iframe src="/login"></iframe>',
  '![a](https://evil.example/pixel.png)',
  '## a <img src=x onerror=alert(1)>',
])('%s is only text', (body) => {
  const text = { title: 'Title', lead: body, description: '', body, language: 'en' } as const;
  for (const html of [shown(body), renderToStaticMarkup(<GuideLead text={text} language="en" />)])
    expect(html).not.toMatch(/<(?:script|img|iframe|svg|style)\b|href="|<[^>]* on\w+=/i);
});

// What takes longer than in proportion would keep the portal busy.
test.each(['*', '[', '![', '`', '<a ', '<!--', '> ', '- ', '| ', '**a ', '[a](', '\\', '_a_ ', '#'])(
  'the largest text of %j again and again is laid out',
  (piece) => {
    expect(shown(piece.repeat(Math.floor(65_536 / piece.length)))).toMatch(/^<div .*<\/div>$/s);
  },
  60_000,
);
