import { plainText } from './plain-text.ts';

/** A text that becomes a page of its own: a guide of the catalogue, the terms of the provider. */
export interface MarkdownText {
  /** Its first line, without the `#`. */
  title: string;
  /** Its first paragraph, in Markdown. */
  lead: string;
  /** The same in plain words, for lists and search engines. */
  description: string;
  /** What follows. */
  body: string;
}

/** Names in double braces that a page replaces with what the installation has. */
export const pageValues = ['gatewayUrl', 'portalUrl', 'providerName', 'supportEmail'] as const;
export type PageValue = (typeof pageValues)[number];

const placeholder = /\{\{([A-Za-z]+)\}\}/g;
const isPageValue = (name: string): name is PageValue => pageValues.some((known) => known === name);

/** A Markdown file is read and laid out while somebody waits for its page. */
const maxBytes = 64 * 1024;

const isBlank = (line: string | undefined): boolean => line?.trim() === '';

/** Reads the text of a Markdown file. `fault` hears of what is wrong with it, and in which line. `before`: lines of its file above the text. */
export function readMarkdownText(
  source: string,
  fault: (line: number, message: string) => void,
  before = 0,
): MarkdownText | undefined {
  if (Buffer.byteLength(source) > maxBytes) {
    fault(1, `has more than ${maxBytes} bytes, the limit of a page`);
    return undefined;
  }
  const lines = source.split(/\r?\n/);
  let isSound = true;
  const broken = (index: number, message: string): void => {
    isSound = false;
    fault(before + index + 1, message);
  };
  for (const [index, line] of lines.entries())
    for (const [written, name = ''] of line.matchAll(placeholder))
      if (!isPageValue(name))
        broken(
          index,
          `there is no value for ${written}; there is one for ${pageValues.map((known) => `{{${known}}}`).join(', ')}. With spaces inside, {{ so }}, it stays as it is.`,
        );
  const first = lines.findIndex((line) => !isBlank(line));
  const [, title] = /^# +(.*\S)/.exec(lines[first] ?? '') ?? [];
  if (title === undefined) broken(Math.max(first, 0), 'must begin with its title, such as # Quick start');
  const start = lines.findIndex((line, index) => index > first && !isBlank(line));
  if (title !== undefined && (start < 0 || startsBlock.test(lines[start] ?? '')))
    broken(Math.max(start, 0), 'after the title there must be a paragraph that says what the page is about');
  if (title === undefined || !isSound) return undefined;
  const end = lines.findIndex((line, index) => index > start && isBlank(line));
  const [lead, body] = end < 0 ? [lines.slice(start), []] : [lines.slice(start, end), lines.slice(end + 1)];
  const words = lead.join('\n');
  return { title: plainText(title), lead: words, description: plainText(words), body: body.join('\n') };
}

/** A heading, list, quotation, table or code. */
const startsBlock = /^(?:#|[-*+>|]\s|\d+[.)]\s|```|~~~| {4})/;

/** A text with the values of an installation. */
export function withValues(text: MarkdownText, values: Readonly<Record<PageValue, string>>): MarkdownText {
  const filled = (part: string): string =>
    part.replaceAll(placeholder, (written, name: string) => (isPageValue(name) ? values[name] : written));
  const { title, lead, description, body } = text;
  return { title: filled(title), lead: filled(lead), description: filled(description), body: filled(body) };
}
