import { type IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { groupedByName, headersForProduct, isForProduct } from './header-rules.ts';

/** Node defines these on prototypes, and makes them from what came. */
const node = Object.getOwnPropertyDescriptors(IncomingMessage.prototype);
const stream = Object.getOwnPropertyDescriptors(Readable.prototype);
/** Reads a request to its end. Where a version of Node has no such method, the documented way does the same and takes longer. */
const dump: () => void = Reflect.get(IncomingMessage.prototype, '_dump') ?? Reflect.get(Readable.prototype, 'resume');

/** What a product in this process is shown of a request. Each form of its fields is made when it is asked for, as Node itself does. */
interface Shown {
  came: IncomingHttpHeaders;
  /** Names that belong to the caller's own hop by declaration. */
  declared: readonly string[];
  /** Fields that the gateway adds, as a flat list. */
  added: readonly string[];
  headers?: IncomingHttpHeaders;
  distinct?: NodeJS.Dict<string[]>;
}

const noHeaders: IncomingHttpHeaders = Object.freeze({});

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
  #isLeft = false;

  /** From now on this is a request to a product, under the path that it has there. */
  showToProduct(path: string, declared: readonly string[], added: readonly string[]): void {
    this.#shown = { came: this.headers, declared, added };
    this.url = path;
    this.rawHeaders = headersForProduct(this.rawHeaders, declared);
    this.rawHeaders.push(...added);
    // Who gives this object another prototype finds nothing there, and least of all the key.
    node.headers.set?.call(this, noHeaders);
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
    if (isOver && this.listenerCount('end') === 0 && this.listenerCount('close') === 0) this.#isLeft = true;
    else this.#readToEnd();
  }

  #readToEnd(): void {
    // Node 26 takes the end of a request that nobody read for known.
    if (this.#endWaits && !this.#isRead) {
      this.#isRead = true;
      super.push(null);
    }
    dump.call(this);
  }

  override on(event: string | symbol, listener: Parameters<IncomingMessage['on']>[1]): this {
    // Who comes late finds a request that ends now.
    if (this.#isLeft && (event === 'end' || event === 'close')) {
      this.#isLeft = false;
      this.#readToEnd();
    }
    return super.on(event, listener);
  }

  override addListener(event: string | symbol, listener: Parameters<IncomingMessage['on']>[1]): this {
    return this.on(event, listener);
  }

  static {
    Object.defineProperties(ReceivedRequest.prototype, {
      readableEnded: {
        configurable: true,
        get(this: ReceivedRequest): boolean {
          return this.#isLeft || stream.readableEnded.get?.call(this) === true;
        },
      },
      headers: {
        configurable: true,
        get(this: ReceivedRequest): IncomingHttpHeaders {
          const shown = this.#shown;
          if (shown === undefined) return node.headers.get?.call(this) ?? noHeaders;
          return (shown.headers ??= headersShown(shown));
        },
        set(this: ReceivedRequest, headers: IncomingHttpHeaders) {
          if (this.#shown === undefined) node.headers.set?.call(this, headers);
          else this.#shown.headers = headers;
        },
      },
      headersDistinct: {
        configurable: true,
        get(this: ReceivedRequest): NodeJS.Dict<string[]> {
          const shown = this.#shown;
          if (shown === undefined) return node.headersDistinct.get?.call(this) ?? {};
          return (shown.distinct ??= groupedByName(this.rawHeaders));
        },
      },
    });
  }
}

function headersShown({ came, declared, added }: Shown): IncomingHttpHeaders {
  const shown: IncomingHttpHeaders = {};
  for (const name in came) {
    if (isForProduct(name) && !declared.includes(name)) shown[name] = came[name];
  }
  for (let index = 0; index + 1 < added.length; index += 2)
    shown[(added[index] ?? '').toLowerCase()] = added[index + 1];
  return shown;
}
