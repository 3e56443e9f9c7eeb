import { withoutHidden } from '#shared/domain/hidden-characters.ts';

/** Above this line people write their replies; what is below was ours. In every mail that can be answered. */
export const replyMarker = '— Write your reply above this line —';

/** The longest message that is taken from a mail, in characters. */
export const maxMailMessage = 20_000;

/** A reply has one; each costs a look into the database. */
const maxTokens = 10;

/** The address to which replies of one thread and side go: `support+token@example.com` (subaddress, RFC 5233). */
export function replyAddress(base: string, token: string): string {
  const at = base.lastIndexOf('@');
  return `${base.slice(0, at)}+${token}${base.slice(at)}`;
}

/** The token of a reply address among these; undefined: none is one. */
export function replyToken(base: string, addresses: readonly string[]): string | undefined {
  const at = base.lastIndexOf('@');
  const beginning = `${base.slice(0, at)}+`.toLowerCase();
  const end = base.slice(at).toLowerCase();
  for (const address of addresses) {
    const lower = address.toLowerCase();
    const token = lower.slice(beginning.length, -end.length);
    if (lower.startsWith(beginning) && lower.endsWith(end) && /^[0-9a-f]{32}$/.test(token)) return token;
  }
  return undefined;
}

/** Everything in the headers of a mail that can be a token, before they are parsed: enough to know of most mails that they are not for us. */
export function replyTokensIn(headers: string): string[] {
  const found = headers.replaceAll(/\s/g, '').matchAll(/\+([0-9a-f]{32})@/gi);
  return [...new Set([...found].map(([, token = '']) => token.toLowerCase()))].slice(0, maxTokens);
}

/** Headers by their lower-case names. */
type Headers = ReadonlyMap<string, string>;

/**
 * Whether a program sent the mail: a notice of absence, a bounce, a list. Such mails are never taken, so that two programs cannot answer
 * each other for ever (RFC 3834).
 */
export function isAutomatic(headers: Headers): boolean {
  const submitted = headers.get('auto-submitted')?.trim().toLowerCase();
  if (submitted !== undefined && !submitted.startsWith('no')) return true;
  if (headers.get('return-path')?.trim() === '<>') return true;
  if (/^\s*(?:bulk|junk|list|auto_reply)\b/i.test(headers.get('precedence') ?? '')) return true;
  if (/^\s*multipart\/report\b/i.test(headers.get('content-type') ?? '')) return true;
  return [
    'x-autoreply',
    'x-autorespond',
    'x-auto-response',
    // Exchange's notices of absence, and programs that want none in return ([MS-OXCMAIL] 2.2.3.2.14).
    'x-auto-response-suppress',
    'list-id',
    'list-unsubscribe',
  ].some((name) => headers.has(name));
}

const isQuote = (line: string) => /^\s*>/.test(line);
const isBlank = (line: string) => line.trim() === '';

/**
 * What a person wrote in a mail: without what it quotes, the line that introduces the quote, and the tokens of our addresses, which
 * would let others write in the thread.
 */
export function writtenText(text: string, base: string): string {
  const lines = withoutControls(text.replaceAll('\r\n', '\n')).split('\n');
  const marked = lines.findIndex((line) => line.includes(replyMarker));
  const own = marked < 0 ? lines : lines.slice(0, marked);
  const header = own.findIndex((line) => /^\s*(?:-{3,}\s*Original Message\s*-{3,}|_{10,})\s*$/i.test(line));
  const kept = header < 0 ? own : own.slice(0, header);
  const dropEnd = (matches: (line: string) => boolean) => {
    while (kept.length > 0 && matches(kept.at(-1) ?? '')) kept.pop();
  };
  const isQuoting = marked >= 0 || kept.some(isQuote);
  dropEnd((line) => isQuote(line) || isBlank(line));
  if (isQuoting) dropIntroduction(kept);
  dropEnd(isBlank);
  return withoutTokens(kept.join('\n').trim(), base);
}

/** A text without hidden characters, and no control characters other than tabs and line breaks: the database takes no NUL. */
export function withoutControls(text: string): string {
  return withoutHidden(text).replaceAll(/(?![\t\n])\p{Cc}/gu, '');
}

/** `On Mon, 23 Nov 2026 at 10:00, Support <support@example.com> wrote:`, in any language, over up to three lines. */
function dropIntroduction(lines: string[]): void {
  for (let count = 1; count <= 3; count += 1) {
    const end = lines.slice(-count).join(' ');
    if (lines.length >= count && /:\s*$/.test(end) && /\d/.test(end) && /@|<|\d{1,2}[:.]\d{2}/.test(end)) {
      // A paragraph of the person's own would have no address and no time of day.
      lines.splice(-count);
      return;
    }
  }
}

/** For a regular expression that matches this text alone. */
const plain = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/**
 * The token is what lets others write in the thread, so it goes from each of our addresses, and from what is left of one: a program that
 * breaks lines may put the domain on the next.
 */
function withoutTokens(text: string, base: string): string {
  const local = base.slice(0, base.lastIndexOf('@'));
  return text.replaceAll(new RegExp(String.raw`(${plain(local)})(?:\+[0-9a-f]{32})+`, 'gi'), '$1');
}
