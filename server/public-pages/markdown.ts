import { NodeHtmlMarkdown } from 'node-html-markdown';
import { type HTMLElement, parse } from 'node-html-parser';

const converter = new NodeHtmlMarkdown({ ignore: ['svg', 'img'], bulletMarker: '-' });

/** A public page as Markdown: what stands in its `<main>`, so that both say the same. Addresses are whole. */
export function markdownOf(html: string, portalUrl: string): string {
  // Styles hold some words apart.
  const main = parse(html.replaceAll(/<\/(b|span)><(b|span)/g, '</$1> <$2')).querySelector('main');
  if (main === null) return '';
  for (const hidden of main.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
  for (const link of main.querySelectorAll('a')) {
    const address = link.getAttribute('href') ?? '';
    if (address.startsWith('/')) link.setAttribute('href', portalUrl + address);
    if (link.querySelector(inside) !== null) link.replaceWith(lineOf(link));
  }
  for (const code of main.querySelectorAll('pre')) code.replaceWith(blockOf(code));
  return `${converter.translate(main.innerHTML).trim()}\n`;
}

const inside = 'div, p, span, h2, h3';

const withoutTags = (element: HTMLElement): string => element.innerHTML.replaceAll(/<[^>]+>/g, '').trim();

const blockOf = (code: HTMLElement): string => `<pre><code>${withoutTags(code)}</code></pre>`;

/** A link that is a card or a row of a list, as an entry of a list: its first text is its name. */
function lineOf(link: HTMLElement): string {
  const [name = '', ...more] = textsOf(link);
  const about = more.length === 0 ? '' : `: ${more.join(' · ')}`;
  return `<ul><li><a href="${link.getAttribute('href') ?? ''}">${name}</a>${about}</li></ul>`;
}

/** The texts inside an element, still escaped. */
const textsOf = (element: HTMLElement): string[] =>
  element
    .querySelectorAll(inside)
    .filter((each) => each.querySelector(inside) === null)
    .map(withoutTags)
    .filter(Boolean);
