/** Markdown as it is written: lines in an array, joined once, so that a page of megabytes takes no longer per word than a small one. */
export class MarkdownLines {
  private readonly lines: string[] = [];
  private words: string[] = [];
  private indent = '';
  /** Before the next line, in place of `indent`. */
  private marker: string | undefined;
  private isApart = false;

  get isIndented(): boolean {
    return this.indent !== '';
  }

  /** Words of a paragraph. */
  write(text: string): void {
    this.words.push(text);
  }

  /** Ends a paragraph, if there is one. `isApart`: what follows has an empty line before it. */
  end(isApart: boolean): void {
    const text = oneLine(this.words.join(''));
    this.words = [];
    if (text !== '') this.add(text.replace(looksLikeBlock, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`));
    this.isApart ||= isApart;
  }

  /** A whole line. */
  add(line: string): void {
    if (this.isApart && this.lines.length > 0) this.lines.push(this.indent.trimEnd());
    this.isApart = false;
    this.lines.push(((this.marker ?? this.indent) + line).trimEnd());
    this.marker = undefined;
  }

  addCode(code: string): void {
    const fence = fenceOf(code, 3);
    for (const line of [fence, ...code.replaceAll(/^\n|\n$/g, '').split('\n'), fence]) this.add(line);
  }

  /** An entry of a list, or a quotation: `marker` before its first line, `indent` before the others. */
  item(marker: string, indent: string, write: () => void): void {
    const outer = this.indent;
    this.marker = (this.marker ?? outer) + marker;
    this.indent = outer + indent;
    write();
    this.end(false);
    this.indent = outer;
    this.marker = undefined;
  }

  joined(): string {
    this.end(false);
    return `${this.lines.join('\n')}\n`;
  }
}

/** At the start of a paragraph it would be a heading, a list or a quotation. */
const looksLikeBlock = /^(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|\d{1,9}[.)](?=\s|$))/;

export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** A text in which nothing is a sign of Markdown. */
export const escapedText = (text: string): string =>
  text.replaceAll(/[\\`*~[\]<]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\$&`);

/** Code within a paragraph. */
export function inlineCode(code: string): string {
  const text = oneLine(code);
  const fence = fenceOf(text, 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return text === '' ? '' : fence + space + text + space + fence;
}

/** More backticks than stand together in the code. */
function fenceOf(code: string, least: number): string {
  let longest = least - 1;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}
