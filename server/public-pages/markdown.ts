import { HTMLElement, type Node, parse, TextNode } from 'node-html-parser';
import { escapedText, inlineCode, MarkdownLines, oneLine } from './markdown-lines.ts';

/** Parsing takes longer than in proportion where an element has ten thousands of parts, and the portal serves nobody meanwhile. */
const maxHtml = 300_000;

/** A public page as Markdown: what stands in its `<main>`, so that both say the same. Addresses are whole. A very long page says only where it is. */
export function markdownOf(html: string, portalUrl: string): string {
  if (html.length > maxHtml) {
    const [, title = ''] = /<title>([^<]*)</.exec(html) ?? [];
    const [, address = portalUrl] = /<link rel="canonical" href="([^"]*)"/.exec(html) ?? [];
    return `# ${title}\n\nThis page is too long for Markdown. It stands at ${address}, with a link to the whole OpenAPI document.\n`;
  }
  // Not `pre`, whose text would stay as it is written in HTML.
  const main = parse(html, { blockTextElements: { script: true, style: true, noscript: true } }).querySelector('main');
  const lines = new MarkdownLines();
  if (main !== null) new Blocks(lines, portalUrl).inside(main);
  return lines.joined();
}

const leftOut = new Set(['NAV', 'SVG', 'IMG', 'SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE']);
/** Styles hold these apart from one another. */
const heldApart = new Set(['B', 'SPAN']);
const marks = new Map([
  ['B', '**'],
  ['STRONG', '**'],
  ['I', '_'],
  ['EM', '_'],
  ['DEL', '~~'],
]);
const wordTags = new Set(['SPAN', 'BUTTON', 'LABEL', 'SMALL', 'TIME', 'ABBR', 'MARK', 'SUB', 'SUP', 'S', 'U', 'KBD']);
/** A link with one of these inside is a card or a row of a list. */
const cardParts = new Set(['DIV', 'P', 'SPAN', 'H2', 'H3']);

/** Reads elements and writes the words and marks that stand within a line. */
abstract class Reader {
  protected readonly portalUrl: string;

  constructor(portalUrl: string) {
    this.portalUrl = portalUrl;
  }

  inside({ childNodes }: HTMLElement): void {
    let before: Node | undefined;
    for (const node of childNodes) {
      if (isHeldApart(before) && isHeldApart(node)) this.write(' ');
      if (node instanceof TextNode) this.write(escapedText(node.text));
      else if (node instanceof HTMLElement && isShown(node)) this.element(node);
      before = node;
    }
  }

  protected abstract write(text: string): void;
  protected abstract block(element: HTMLElement): void;

  protected element(element: HTMLElement): void {
    const { tagName } = element;
    const mark = marks.get(tagName);
    if (mark !== undefined) this.write(marked(mark, this.wordsOf(element)));
    else if (tagName === 'CODE') this.write(inlineCode(element.text));
    else if (tagName === 'A') this.link(element);
    else if (wordTags.has(tagName)) this.inside(element);
    else this.block(element);
  }

  protected link(link: HTMLElement): void {
    this.write(`[${this.wordsOf(link)}](${this.addressOf(link)})`);
  }

  protected addressOf(link: HTMLElement): string {
    const address = link.getAttribute('href') ?? '';
    return address.startsWith('/') ? this.portalUrl + address : address;
  }

  /** What is inside, as one line. */
  protected wordsOf(element: HTMLElement): string {
    const words = new Words(this.portalUrl);
    words.inside(element);
    return words.line();
  }
}

/** Everything in one line. */
class Words extends Reader {
  private readonly words: string[] = [];

  line(): string {
    return oneLine(this.words.join(''));
  }

  protected write(text: string): void {
    this.words.push(text);
  }

  protected block(element: HTMLElement): void {
    this.write(' ');
    this.inside(element);
    this.write(' ');
  }
}

class Blocks extends Reader {
  private readonly lines: MarkdownLines;

  constructor(lines: MarkdownLines, portalUrl: string) {
    super(portalUrl);
    this.lines = lines;
  }

  protected write(text: string): void {
    this.lines.write(text);
  }

  protected block(element: HTMLElement): void {
    const { tagName } = element;
    const isList = tagName === 'UL' || tagName === 'OL';
    const isApart = tagName !== 'LI' && !(isList && this.lines.isIndented);
    this.lines.end(isApart);
    if (isList) this.list(element, tagName === 'OL');
    else if (/^H[1-6]$/.test(tagName)) this.heading(element, Number(tagName[1]));
    else if (tagName === 'PRE') this.lines.addCode(element.text);
    else if (tagName === 'TABLE') this.table(element);
    else if (tagName === 'BLOCKQUOTE') this.lines.item('> ', '> ', () => this.inside(element));
    else if (tagName === 'HR') this.lines.add('---');
    else this.inside(element);
    this.lines.end(isApart);
  }

  protected override link(link: HTMLElement): void {
    const [name = '', ...more] = hasPart(link) ? partsOf(link) : [];
    if (name === '') return super.link(link);
    // An entry of a list: its first text is its name.
    const about = more.length === 0 ? '' : `: ${more.join(' · ')}`;
    this.lines.end(true);
    this.lines.item('- ', '  ', () => this.write(`[${name}](${this.addressOf(link)})${about}`));
    this.lines.end(true);
  }

  private list(list: HTMLElement, isNumbered: boolean): void {
    for (const [index, each] of elementsIn(list).entries()) {
      const marker = isNumbered ? `${index + 1}. ` : '- ';
      this.lines.item(marker, ' '.repeat(marker.length), () => this.inside(each));
    }
  }

  private heading(element: HTMLElement, level: number): void {
    const text = this.wordsOf(element);
    if (text !== '') this.lines.add(`${'#'.repeat(level)} ${text}`);
  }

  private table(table: HTMLElement): void {
    for (const [index, row] of table.querySelectorAll('tr').entries()) {
      const cells = elementsIn(row).map((cell) => this.wordsOf(cell).replaceAll('|', String.raw`\|`));
      this.lines.add(`| ${cells.join(' | ')} |`);
      if (index === 0) this.lines.add(`|${' --- |'.repeat(cells.length)}`);
    }
  }
}

/** The texts of a card, each of a part without parts of its own. */
function partsOf(card: HTMLElement): string[] {
  const texts: string[] = [];
  const words: string[] = [];
  const end = (): void => {
    const text = oneLine(words.splice(0).join(''));
    if (text !== '') texts.push(text);
  };
  const read = ({ childNodes }: HTMLElement): void => {
    for (const node of childNodes) {
      if (node instanceof TextNode) words.push(escapedText(node.text));
      if (!(node instanceof HTMLElement) || !isShown(node)) continue;
      const isPart = cardParts.has(node.tagName);
      if (isPart) end();
      read(node);
      if (isPart) end();
    }
  };
  read(card);
  end();
  return texts;
}

const hasPart = (element: HTMLElement): boolean =>
  elementsIn(element).some((child) => cardParts.has(child.tagName) || hasPart(child));

const elementsIn = ({ childNodes }: HTMLElement): HTMLElement[] =>
  childNodes.filter((node) => node instanceof HTMLElement).filter(isShown);

const isShown = (element: HTMLElement): boolean =>
  !leftOut.has(element.tagName) && element.getAttribute('aria-hidden') !== 'true';

const isHeldApart = (node: Node | undefined): boolean => node instanceof HTMLElement && heldApart.has(node.tagName);

const marked = (mark: string, text: string): string => (text === '' ? '' : mark + text + mark);
