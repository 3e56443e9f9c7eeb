import { type Dispatcher, Pool } from 'undici';
import type { Catalog, Product } from '#catalog/catalog.ts';
import { createConnector } from './connector.ts';
import { forward, type ForwardTarget } from './forward.ts';
import type { ActiveCall, Forwarding } from './forwarding.ts';
import { dispatchInside, mountProduct, readInside } from './inside.ts';
import { createLocationRewriter, type RewriteHead } from './rewrite-locations.ts';
import type { UpstreamOptions } from './upstream-options.ts';
import { createUpstreamQueue, type UpstreamQueue } from './upstream-queue.ts';

/** A connected product, or its sandbox. */
export interface Upstream {
  productId: string;
  /** Equal for products that are reached and changed alike: a new version of the catalogue keeps using this one. */
  identity: string;
  queue: UpstreamQueue;
  /** False while the gateway lacks a secret of it: every call is refused. */
  isSetUp: boolean;
  maxBodyBytes: number;
  /** How long to keep reading a response after its caller has disconnected. */
  abandonedTimeoutMs: number;
  /** Replaces its addresses in response headers with those of the gateway, and makes the product's own changes. */
  rewriteHead: RewriteHead;
  /** Forwards an admitted call. */
  forward: (forwarding: Forwarding) => ActiveCall;
  /**
   * Reads one of its documents without counting a call, and without taking a connection from calls. `path` includes the base path of its
   * address.
   */
  read: (path: string) => Promise<{ status: number; body: Buffer }>;
  close: () => Promise<unknown>;
}

export interface UpstreamSettings {
  upstreamTimeoutMs: number;
  upstreamConnections: number;
  upstreamQueueTimeoutMs: number;
  maxBodyBytes: number;
  /** Limit on the headers of a response. */
  maxHeadBytes: number;
}

/** Addresses by product id. Products without an entry use the catalogue's address. */
export interface UpstreamAddresses {
  upstreams: ReadonlyMap<string, string>;
  /** Only for products that have a sandbox. */
  sandboxes: ReadonlyMap<string, string>;
}

export interface Upstreams {
  of: (productId: string) => Upstream;
  /** For calls with test keys. */
  sandboxOf: (productId: string) => Upstream;
  /** Every connected product and sandbox, each once. */
  all: () => { upstream: Upstream; sandbox: boolean }[];
  close: () => Promise<void>;
}

/** The addresses for a product's live and test calls. There is no test address without a sandbox. */
export function addressesOf(
  { id, upstreamUrl, sandbox }: Product,
  { upstreams, sandboxes }: UpstreamAddresses,
): { live: string; test: string | undefined } {
  return {
    live: upstreams.get(id) ?? upstreamUrl,
    test: sandbox === undefined ? undefined : (sandboxes.get(id) ?? sandbox.upstreamUrl),
  };
}

export interface UpstreamsDeps {
  catalog: Catalog;
  addresses: UpstreamAddresses;
  /** By product id. */
  options: ReadonlyMap<string, UpstreamOptions>;
  settings: UpstreamSettings;
  /** Upstreams of the catalogue before, to be used on where nothing changed. */
  before?: ReadonlySet<Upstream>;
}

/** The path of an address, without a slash at its end; empty for a product inside the gateway. */
export function basePath(address: string): string {
  const { protocol, pathname } = new URL(address);
  return protocol === 'file:' ? '' : pathname.replace(/\/+$/, '');
}

/** Connects every product of the catalogue. Products with a `file:` address are mounted in this process. */
export async function connectUpstreams(deps: UpstreamsDeps): Promise<Upstreams> {
  const { catalog, addresses, options, settings } = deps;
  const live = new Map<string, Upstream>();
  const test = new Map<string, Upstream>();
  const before = new Map([...(deps.before ?? [])].map((upstream) => [upstream.identity, upstream]));
  const connectTo = async (product: Product, address: string): Promise<Upstream> => {
    const own = options.get(product.id);
    const { id, gatewayPath, gateway } = product;
    const identity = JSON.stringify([id, address, gatewayPath, gateway, own?.secretsHash]);
    const known = before.get(identity);
    if (known !== undefined) return known;
    const { timeoutMs = settings.upstreamTimeoutMs, maxBodyBytes = settings.maxBodyBytes } = product.gateway;
    const limits: Limits = {
      timeoutMs,
      connections: product.gateway.connections ?? settings.upstreamConnections,
      retries: product.gateway.retries,
      maxHeadBytes: settings.maxHeadBytes,
    };
    const rewriteLocations = createLocationRewriter(address, product.gatewayPath);
    const changeResponse = own?.changeResponse;
    const isSetUp = own === undefined || own.faults.length === 0;
    const connect = (): Connected | Promise<Connected> =>
      address.startsWith('file:') ? mountInside(product, address, own, limits) : connectPool(address, limits, own);
    return {
      productId: product.id,
      identity,
      isSetUp,
      maxBodyBytes,
      abandonedTimeoutMs: timeoutMs,
      queue: createUpstreamQueue({ slots: limits.connections, maxQueueAgeMs: settings.upstreamQueueTimeoutMs }),
      rewriteHead: changeResponse ? (head) => changeResponse(rewriteLocations(head)) : rewriteLocations,
      ...(isSetUp ? await connect() : notSetUp),
    };
  };
  try {
    for (const product of catalog.products) {
      const to = addressesOf(product, addresses);
      const connected = await connectTo(product, to.live);
      live.set(product.id, connected);
      if (to.test !== undefined)
        test.set(product.id, to.test === to.live ? connected : await connectTo(product, to.test));
    }
  } catch (error) {
    await closeAll([...live.values(), ...test.values()].filter((upstream) => !deps.before?.has(upstream)));
    throw error;
  }
  return {
    of: (productId) => connectedTo(live, productId),
    sandboxOf: (productId) => connectedTo(test, productId),
    all: () => [
      ...[...live.values()].map((upstream) => ({ upstream, sandbox: false })),
      ...[...test].flatMap(([id, upstream]) => (live.get(id) === upstream ? [] : { upstream, sandbox: true })),
    ],
    close: () => closeAll([...live.values(), ...test.values()]),
  };
}

async function closeAll(upstreams: Iterable<Upstream>): Promise<void> {
  await Promise.all([...new Set(upstreams)].map((upstream) => upstream.close()));
}

function connectedTo(upstreams: ReadonlyMap<string, Upstream>, productId: string): Upstream {
  const upstream = upstreams.get(productId);
  if (upstream === undefined) throw new Error(`no upstream for ${productId}`);
  return upstream;
}

interface Limits {
  timeoutMs: number;
  connections: number;
  retries: number;
  maxHeadBytes: number;
}

/** Far larger than any real OpenAPI document. */
export const maxDocumentBytes = 32 * 1024 * 1024;
/** Its OpenAPI document and its health check are read at the same time. */
const documentConnections = 2;
const documentTimeoutMs = 5000;
/** Also for an API that sends a document bit by bit. */
const wholeDocumentTimeoutMs = 30_000;

type Connected = Pick<Upstream, 'forward' | 'read' | 'close'>;

const notSetUpError = new Error('the gateway lacks a secret of this API');
const notSetUp: Connected = {
  forward: () => {
    throw notSetUpError;
  },
  read: () => Promise.reject(notSetUpError),
  close: () => Promise.resolve(),
};

function connectPool(address: string, limits: Limits, options: UpstreamOptions | undefined): Connected {
  const { timeoutMs, connections, retries, maxHeadBytes } = limits;
  const origin = new URL(address);
  const connect = createConnector(origin, Math.min(timeoutMs, 5000), options?.tls);
  const poolOf = (size: number, waitMs: number): Pool =>
    new Pool(origin.origin, {
      connections: size,
      pipelining: 1,
      connect,
      maxHeaderSize: maxHeadBytes,
      headersTimeout: waitMs,
      bodyTimeout: waitMs,
    });
  const pool = poolOf(connections, timeoutMs);
  const documents = poolOf(documentConnections, documentTimeoutMs);
  const request = options?.request;
  const target: ForwardTarget = {
    dispatch: (sent, call) => void pool.dispatch(sent, call),
    retries,
    maxHeadBytes,
    request,
  };
  return {
    forward: (forwarding) => forward(target, forwarding),
    read: async (path) => {
      const headers = request?.headersFor('GET', path) ?? null;
      const { statusCode, body } = await documents.request({
        method: 'GET',
        path,
        headers,
        signal: AbortSignal.timeout(wholeDocumentTimeoutMs),
      });
      return { status: statusCode, body: await readDocument(body) };
    },
    close: () => Promise.all([pool.close(), documents.close()]),
  };
}

async function readDocument(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    const received: Buffer = chunk;
    bytes += received.length;
    if (bytes > maxDocumentBytes) throw new Error('its document is too large');
    chunks.push(received);
  }
  return Buffer.concat(chunks);
}

async function mountInside(
  { id }: Product,
  address: string,
  options: UpstreamOptions | undefined,
  { timeoutMs, maxHeadBytes }: Limits,
): Promise<Connected> {
  if (options?.request !== undefined || options?.tls !== undefined)
    throw new Error(`${id} runs in the gateway's process: credentials, tls and requestHeaders need an http address.`);
  const product = await mountProduct(address);
  const target: ForwardTarget = {
    dispatch: (sent, call) => dispatchInside(product, timeoutMs, sent, call),
    retries: 0,
    maxHeadBytes,
    request: undefined,
  };
  return {
    forward: (forwarding) => forward(target, forwarding),
    read: (path) => readInside(product, path, AbortSignal.timeout(wholeDocumentTimeoutMs)),
    close: product.close,
  };
}
