/** Tags of HTML in descriptions, and the Markdown that says the same. Everything else of HTML is shown as text. */
const replaced: readonly (readonly [RegExp, string])[] = [
  // Up to the next beginning: without an end, each would be read to the end of the text.
  [/<!--(?:(?!<!--)[\s\S])*?-->/g, ''],
  [/<br\s*\/?>/gi, '  \n'],
  [/<\/?(?:p|div|ul|ol)(?:\s[^<>]*)?>/gi, '\n\n'],
  [/<li(?:\s[^<>]*)?>/gi, '\n- '],
  [/<\/?(?:b|strong)>/gi, '**'],
  [/<\/?(?:i|em)>/gi, '*'],
  [/<\/?code>/gi, '`'],
];
const link = /<a\s([^<>]*)>([^<]*)<\/a>/gi;
const leftOut = /<\/(?:li|span|small|u|a)>|<(?:span|small|u)(?:\s[^<>]*)?>/gi;

/** A description of an OpenAPI document as Markdown alone: many have HTML in it. Code between backticks stays as it is. */
export function markdownOf(description: string): string {
  return description
    .split(/(```[\s\S]*?```|`[^`\n]+`)/)
    .map((piece, index) => (index % 2 === 1 ? piece : withoutTags(piece)))
    .join('');
}

const withoutTags = (piece: string): string =>
  replaced
    .reduce((text, [tag, mark]) => text.replaceAll(tag, mark), piece)
    .replaceAll(link, markedLink)
    .replaceAll(leftOut, '');

function markedLink(written: string, attributes: string, words: string): string {
  const address = /href="([^"]*)"/i.exec(attributes)?.[1];
  return address === undefined ? written : `[${words}](${address})`;
}

/** Where a link of a description may lead; undefined: it is shown as text. */
export function linkOf(href: unknown): string | undefined {
  if (typeof href !== 'string' || !URL.canParse(href)) return undefined;
  return ['http:', 'https:', 'mailto:'].includes(new URL(href).protocol) ? href : undefined;
}
