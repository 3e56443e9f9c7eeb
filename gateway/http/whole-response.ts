import { type OutgoingHttpHeader, type OutgoingHttpHeaders, STATUS_CODES } from 'node:http';
import { RawResponse, canSetRawResponse } from '#gateway/node/raw-response.ts';
import { isContentLength, parseHeaders, withLengthLast } from './header-rules.ts';

export type HeadHeaders = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** How long an idle connection stays open. Every response announces it in Keep-Alive. */
export const keepAliveMs = 65_000;

/** Smaller bodies are sent in one write together with the head. */
const smallBytes = 16 * 1024;
const connectionHeaders = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n`;

let cachedDate: string | undefined;

/** The Date header, cached for the current second. */
function dateHeader(): string {
  if (cachedDate === undefined) {
    const now = new Date();
    cachedDate = `Date: ${now.toUTCString()}\r\n`;
    setTimeout(() => (cachedDate = undefined), 1000 - now.getMilliseconds()).unref();
  }
  return cachedDate;
}

/**
 * A response that can be sent in a single write: the same bytes as Node's `writeHead` and `end`, for less CPU time (decision 017). A class,
 * because Node creates each response from the class given to its server.
 */
export class WholeResponse extends RawResponse {
  /**
   * Whether the server stops and this response ends its connection (`Connection: close`), even if its request began before: idle connections
   * are closed soon, and a proxy must not send its next request on one. A method, since one more property costs each response.
   */
  protected isLast(): boolean {
    return false;
  }

  /**
   * Sends a response whose body is complete; a string body is Latin-1. `head`: a flat list of validated headers; of those about framing only
   * Content-Length is allowed. `headerLines`: headers of the gateway, formatted; none of them may be Date or concern the connection or body.
   */
  sendWhole(status: number, head: readonly string[], body: Buffer | string, headerLines = ''): void {
    const small = body.length < smallBytes;
    const text = typeof body === 'string' ? body : small ? body.toString('latin1') : '';
    const hasBody = status >= 200 && status !== 204 && status !== 304 && this.req.method !== 'HEAD';
    const lines =
      small && hasBody && canSetRawResponse() && this.canUseFastPath()
        ? fastHeaderLines(head, headerLines, text.length)
        : undefined;
    if (lines === undefined) {
      this.writeHead(status, headOf(status, head, headerLines, hasBody ? body.length : undefined));
      if (small) this.end(text, 'latin1');
      else this.end(body, 'latin1');
      return;
    }
    this.statusCode = status;
    this.setRaw(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n${lines}\r\n${text}`);
    this.end();
  }

  /** Sends the head of a response whose body follows. */
  sendHead(status: number, head: readonly string[], headerLines: string): void {
    this.writeHead(status, headOf(status, head, headerLines));
    this.flushHeaders();
  }

  /** As Node's, but Node would encode the head in UTF-8 if no part of the body follows at once (RFC 9110 §5.5). */
  override flushHeaders(): void {
    this.write('', 'latin1');
  }

  override writeHead(status: number, reason?: string | HeadHeaders, headers?: HeadHeaders): this {
    if (this.isLast()) this.shouldKeepAlive = false;
    if (typeof reason === 'string') return super.writeHead(status, reason, headers);
    return super.writeHead(status, reason ?? headers);
  }

  /**
   * Requires a connection that stays open, and a response of which nothing was sent, not even 100 Continue. Not a `#method`: each response
   * would get a property more for it.
   */
  protected canUseFastPath(): boolean {
    return this.shouldKeepAlive && !this.isLast() && this.req.headers.expect === undefined && !this.headersSent;
  }
}

function headOf(status: number, head: readonly string[], headerLines: string, length?: number): string[] {
  const headers = parseHeaders(headerLines);
  headers.push(...withLengthLast(head, length));
  // RFC 9110 §8.6: a 204 has no length.
  if (status === 204 && isContentLength(headers.at(-2) ?? '')) headers.length -= 2;
  return headers;
}

/** The header lines, including those that Node would add; undefined if `head` has a Connection header. */
function fastHeaderLines(head: readonly string[], headerLines: string, length: number): string | undefined {
  let text = headerLines;
  let hasDate = false;
  for (let index = 0; index + 1 < head.length; index += 2) {
    const name = head[index] ?? '';
    // Comparing lengths first is cheaper than comparing names.
    if (name.length === 4) hasDate ||= name === 'Date' || name.toLowerCase() === 'date';
    else if (name.length === 10 && name.toLowerCase() === 'connection') return undefined;
    else if (isContentLength(name)) continue;
    text += `${name}: ${head[index + 1]}\r\n`;
  }
  return `${text}Content-Length: ${length}\r\n${hasDate ? '' : dateHeader()}${connectionHeaders}`;
}

/** Joins chunks. A single chunk is not copied. */
export function concatChunks(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}
