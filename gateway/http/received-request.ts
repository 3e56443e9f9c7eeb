import { IncomingMessage, type IncomingHttpHeaders } from 'node:http';
import { accessorOf } from '#gateway/node/accessors.ts';
import { UnreadRequest } from '#gateway/node/unread-request.ts';
import { groupedByName, headersForProduct, isForProduct } from './header-rules.ts';

const nodeHeaders = accessorOf(IncomingMessage, 'headers');

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
 * A request as the gateway's server makes it. It shows a product in this process no more fields than a product elsewhere would get. A class,
 * since Node builds each request itself from the one that its server is given.
 */
export class ReceivedRequest extends UnreadRequest {
  #shown: Shown | undefined;

  /** From now on this is a request to a product, under the path that it has there. */
  showToProduct(path: string, declared: readonly string[], added: readonly string[]): void {
    this.#shown = { came: this.headers, declared, added };
    this.url = path;
    this.rawHeaders = headersForProduct(this.rawHeaders, declared);
    this.rawHeaders.push(...added);
    // Who gives this object another prototype finds nothing there, and least of all the key.
    nodeHeaders.set?.call(this, noHeaders);
  }

  static {
    Object.defineProperties(ReceivedRequest.prototype, {
      headers: {
        configurable: true,
        get(this: ReceivedRequest): IncomingHttpHeaders {
          const shown = this.#shown;
          if (shown === undefined) return nodeHeaders.get?.call(this) ?? noHeaders;
          return (shown.headers ??= headersShown(shown));
        },
        set(this: ReceivedRequest, headers: IncomingHttpHeaders) {
          if (this.#shown === undefined) nodeHeaders.set?.call(this, headers);
          else this.#shown.headers = headers;
        },
      },
      headersDistinct: {
        configurable: true,
        // Node 20.19's own throws for a field named Constructor.
        get(this: ReceivedRequest): NodeJS.Dict<string[]> {
          if (this.#shown === undefined) return groupedByName(this.rawHeaders);
          return (this.#shown.distinct ??= groupedByName(this.rawHeaders));
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
