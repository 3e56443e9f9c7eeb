import { STATUS_CODES, ServerResponse } from 'node:http';
import { giveText, takesText } from '#gateway/node/head-text.ts';
import { fieldsOf, isContentLength, withLength } from './header-rules.ts';

/** How long a connection is kept for the next call, which every answer tells. */
export const keepAliveMs = 65_000;

/** Beyond this a body goes out beside its head instead of with it. */
const smallBytes = 16 * 1024;
const connectionFields = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n`;

let dateField: string | undefined;

/** The Date field of this second. */
function dateNow(): string {
  if (dateField === undefined) {
    const now = new Date();
    dateField = `Date: ${now.toUTCString()}\r\n`;
    setTimeout(() => (dateField = undefined), 1000 - now.getMilliseconds()).unref();
  }
  return dateField;
}

/**
 * A response that can be sent whole: the bytes are those of Node's `writeHead` and `end`, for less of a processor (decision 017). A class,
 * since Node builds each response itself from the one that its server is given.
 */
export class WholeResponse extends ServerResponse {
  /**
   * Sends an answer of which every byte is known; each character of a text is one byte. `head` is a flat list of valid fields, as a parser or
   * Node's own checks let them through, without any about the connection or how the body comes but those of a length. `own`: the gateway's
   * own fields as lines, none of which is a date or speaks of the connection or the body.
   */
  sendWhole(status: number, head: readonly string[], body: Buffer | string, own = ''): void {
    const small = body.length < smallBytes;
    const text = typeof body === 'string' ? body : small ? body.toString('latin1') : '';
    const hasBody = status >= 200 && status !== 204 && status !== 304 && this.req.method !== 'HEAD';
    const fields = small && hasBody && takesText() && this.#isPlain() ? plainFields(head, own, text.length) : undefined;
    if (fields === undefined) {
      this.writeHead(status, [...(hasBody ? withLength(head, body.length) : head), ...fieldsOf(own)]);
      if (small) super.end(text, 'latin1');
      else super.end(body, 'latin1');
      return;
    }
    this.statusCode = status;
    giveText(this, `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n${fields}\r\n${text}`);
    super.end();
  }

  /** Is it on a connection that stays open, and nothing of it sent yet? */
  #isPlain(): boolean {
    return this.shouldKeepAlive && this.req.headers.expect === undefined && !this.headersSent;
  }
}

/** The fields as text, with what Node adds to them; undefined when one of them speaks of the connection. */
function plainFields(head: readonly string[], own: string, length: number): string | undefined {
  let text = own;
  let hasDate = false;
  for (let index = 0; index + 1 < head.length; index += 2) {
    const name = head[index] ?? '';
    // By their lengths, which costs less than a look at each name.
    if (name.length === 4) hasDate ||= name === 'Date' || name.toLowerCase() === 'date';
    else if (name.length === 10 && name.toLowerCase() === 'connection') return undefined;
    else if (isContentLength(name)) continue;
    text += `${name}: ${head[index + 1]}\r\n`;
  }
  return `${text}Content-Length: ${length}\r\n${hasDate ? '' : dateNow()}${connectionFields}`;
}

/** All bytes in one piece, copied only where there are several. */
export function wholeOf(chunks: readonly Buffer[]): Buffer {
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}
