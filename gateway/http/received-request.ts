import { IncomingMessage, type IncomingHttpHeaders } from 'node:http';
import { getAccessor } from '#gateway/node/accessors.ts';
import { isArriving } from '#shared/platform/close-server.ts';
import { groupByName, headersForProduct, isForProduct } from './header-rules.ts';

const nodeHeaders = getAccessor(IncomingMessage, 'headers');

/** The view of a request that an in-process product gets. Its headers are computed on first access, as in Node. */
interface ProductView {
  received: IncomingHttpHeaders;
  /** Headers that Connection limits to the caller's hop. */
  declared: readonly string[];
  /** Headers that the gateway adds, as a flat list. */
  added: readonly string[];
  headers?: IncomingHttpHeaders;
  distinct?: NodeJS.Dict<string[]>;
}

const noHeaders: IncomingHttpHeaders = Object.freeze({});

/**
 * A request that may go to an in-process product, to which it shows only the headers that a remote product would get. A class, because Node
 * creates each request from the class given to its server.
 */
export class ReceivedRequest extends IncomingMessage {
  #view: ProductView | undefined;

  /** Turns this into the request that the product sees, with the path at the product. */
  showToProduct(path: string, declared: readonly string[], added: readonly string[]): void {
    this.#view = { received: this.headers, declared, added };
    this.url = path;
    this.rawHeaders = headersForProduct(this.rawHeaders, declared);
    this.rawHeaders.push(...added);
    // A product that replaces this object's prototype must not find the original headers, above all not the key.
    nodeHeaders.set?.call(this, noHeaders);
  }

  /** The headers that the caller sent, whatever the product sees. Reading `headers` would compute those of the product. */
  get received(): IncomingHttpHeaders {
    return this.#view?.received ?? this.headers;
  }

  /** Whether the caller is still sending its body. */
  isArriving(): boolean {
    return isArriving({ complete: this.complete, headers: this.received });
  }

  static {
    Object.defineProperties(ReceivedRequest.prototype, {
      headers: {
        configurable: true,
        get(this: ReceivedRequest): IncomingHttpHeaders {
          const view = this.#view;
          if (view === undefined) return nodeHeaders.get?.call(this) ?? noHeaders;
          return (view.headers ??= visibleHeaders(view));
        },
        set(this: ReceivedRequest, headers: IncomingHttpHeaders) {
          if (this.#view === undefined) nodeHeaders.set?.call(this, headers);
          else this.#view.headers = headers;
        },
      },
      headersDistinct: {
        configurable: true,
        // Replaces Node's: in 20.19 it throws for a header named Constructor.
        get(this: ReceivedRequest): NodeJS.Dict<string[]> {
          if (this.#view === undefined) return groupByName(this.rawHeaders);
          return (this.#view.distinct ??= groupByName(this.rawHeaders));
        },
      },
    });
  }
}

function visibleHeaders({ received, declared, added }: ProductView): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = {};
  for (const name in received) {
    if (isForProduct(name) && !declared.includes(name)) headers[name] = received[name];
  }
  for (let index = 0; index + 1 < added.length; index += 2)
    headers[(added[index] ?? '').toLowerCase()] = added[index + 1];
  return headers;
}
