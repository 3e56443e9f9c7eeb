import { NodeHtmlMarkdown } from 'node-html-markdown';

const converter = new NodeHtmlMarkdown({ ignore: ['svg', 'style', 'script'], bulletMarker: '-' });

/** A public page as Markdown: what stands in its `<main>`, so that both say the same. Addresses are whole. */
export function markdownOf(html: string, portalUrl: string): string {
  const main = /<main[^>]*>([\s\S]*)<\/main>/.exec(html)?.[1] ?? '';
  const whole = main.replaceAll(/ href="(\/[^"]*)"/g, (_link, path: string) => ` href="${portalUrl}${path}"`);
  return `${converter.translate(whole).trim()}\n`;
}
