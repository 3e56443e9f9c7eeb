import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { slowTexts } from '#shared/domain/test-growth.ts';
import { markdownOf } from '#web/features/reference/markdown-text.ts';
import { slug } from '#web/features/reference/operations.ts';
import { InlineProse, Prose } from '#web/features/reference/prose.tsx';

test.each([
  ['Markdown of a description', markdownOf],
  ['a slug', slug],
])('twice the text of strangers takes twice the time: %s', (_what, read) => {
  expect(slowTexts(read)).toEqual([]);
});

// Laying out takes longer, so the texts are shorter.
test.each([
  ['a description', (text: string) => renderToStaticMarkup(<Prose text={text} />)],
  ['a line', (text: string) => renderToStaticMarkup(<InlineProse text={text} />)],
])('twice the text of strangers takes about twice the time to lay out: %s', (_what, read) => {
  expect(slowTexts(read, 20_000)).toEqual([]);
});
