import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { headersForProduct, isForProduct } from './header-rules.ts';

/** What a product in this process is shown of a request. */
interface Shown {
  /** Names that belong to the caller's own hop by declaration. */
  declared: readonly string[];
  /** Fields that the gateway adds, as a flat list. */
  added: readonly string[];
  /** Made when they are asked for, as Node itself does. */
  headers: IncomingHttpHeaders | undefined;
}

/**
 * A request as the gateway's server makes it. It shows a product in this process no more fields than a product elsewhere would get. Its end
 * is made known to who reads it, and not before somebody does; and it is left alone once it was answered, when all of it has come and nobody
 * waits for its end: Node would read it to that end and close it, to free the connection of bytes that are not there. A class, since Node
 * builds each request itself from the one that its server is given.
 */
export class ReceivedRequest extends IncomingMessage {
  #shown: Shown | undefined;
  #isRead = false;
  #endWaits = false;

  /** From now on this is a request to a product, under the path that it has there. */
  showToProduct(path: string, declared: readonly string[], added: readonly string[]): void {
    this.url = path;
    this.rawHeaders = headersForProduct(this.rawHeaders, declared);
    this.rawHeaders.push(...added);
    this.#shown = { declared, added, headers: undefined };
  }

  override push(chunk: unknown, encoding?: BufferEncoding): boolean {
    if (chunk !== null || this.#isRead) return super.push(chunk, encoding);
    this.#endWaits = true;
    return false;
  }

  override _read(size: number): void {
    this.#isRead = true;
    if (this.#endWaits) super.push(null);
    else super._read(size);
  }

  /** Node's own name for what it does with a request when its answer has left. */
  _dump(): void {
    const isOver = this.complete && this.readableLength === 0;
    if (!isOver || this.listenerCount('end') > 0 || this.listenerCount('close') > 0) dump?.call(this);
  }

  static {
    // Node defines both on the prototype, and makes them from what came.
    const own = Object.getOwnPropertyDescriptors(IncomingMessage.prototype);
    Object.defineProperties(ReceivedRequest.prototype, {
      headers: {
        configurable: true,
        get(this: ReceivedRequest): IncomingHttpHeaders {
          const shown = this.#shown;
          if (shown === undefined) return own.headers.get?.call(this) ?? {};
          return (shown.headers ??= headersShown(own.headers.get?.call(this) ?? {}, shown));
        },
        set(this: ReceivedRequest, headers: IncomingHttpHeaders) {
          if (this.#shown === undefined) own.headers.set?.call(this, headers);
          else this.#shown.headers = headers;
        },
      },
      headersDistinct: {
        configurable: true,
        get(this: ReceivedRequest): NodeJS.Dict<string[]> {
          return this.#shown === undefined ? (own.headersDistinct.get?.call(this) ?? {}) : distinct(this.rawHeaders);
        },
      },
    });
  }
}

const dump: (() => void) | undefined = Reflect.get(IncomingMessage.prototype, '_dump');

function headersShown(came: IncomingHttpHeaders, { declared, added }: Shown): IncomingHttpHeaders {
  const shown: IncomingHttpHeaders = {};
  for (const name in came) {
    if (isForProduct(name) && !declared.includes(name)) shown[name] = came[name];
  }
  for (let index = 0; index + 1 < added.length; index += 2)
    shown[(added[index] ?? '').toLowerCase()] = added[index + 1];
  return shown;
}

function distinct(rawHeaders: readonly string[]): NodeJS.Dict<string[]> {
  const values: NodeJS.Dict<string[]> = {};
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    (values[name] ??= []).push(rawHeaders[index + 1] ?? '');
  }
  return values;
}
