import { Pool } from 'undici';
import type { Catalog, Product } from '#catalog/catalog.ts';
import { createConnector } from './connector.ts';
import { type Forwarding, forward, type ActiveCall } from './forward.ts';
import { mountProduct, serveInside } from './inside.ts';
import { createLocationRewriter, type RewriteLocations } from './rewrite-locations.ts';
import { createUpstreamQueue, type UpstreamQueue } from './upstream-queue.ts';

/** A connected product, or its sandbox. */
export interface Upstream {
  productId: string;
  queue: UpstreamQueue;
  /** Replaces its addresses in response headers with those of the gateway. */
  rewriteLocations: RewriteLocations;
  /** Forwards an admitted call. */
  forward: (forwarding: Forwarding) => ActiveCall;
  /** Reads one of its documents without counting a call. */
  read: (path: string) => Promise<{ status: number; body: Buffer }>;
  close: () => Promise<unknown>;
}

export interface UpstreamSettings {
  upstreamTimeoutMs: number;
  upstreamConnections: number;
  upstreamPatienceMs: number;
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
  /** Whether any product runs in this process. */
  inside: boolean;
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

/** Connects every product of the catalogue. Products with a `file:` address are mounted in this process. */
export async function connectUpstreams(
  catalog: Catalog,
  addresses: UpstreamAddresses,
  settings: UpstreamSettings,
): Promise<Upstreams> {
  const live = new Map<string, Upstream>();
  const test = new Map<string, Upstream>();
  let anyInside = false;
  const connectTo = async ({ id: productId, gatewayPath }: Product, address: string): Promise<Upstream> => {
    const isInside = address.startsWith('file:');
    anyInside ||= isInside;
    const rewriteLocations = createLocationRewriter(address, gatewayPath);
    return {
      productId,
      rewriteLocations,
      ...(isInside ? await mountInside(address, settings) : connectPool(address, settings)),
    };
  };
  const close = async (): Promise<void> => {
    await Promise.all([...new Set([...live.values(), ...test.values()])].map((upstream) => upstream.close()));
  };
  try {
    for (const product of catalog.products) {
      const to = addressesOf(product, addresses);
      const connected = await connectTo(product, to.live);
      live.set(product.id, connected);
      if (to.test === undefined) continue;
      test.set(product.id, to.test === to.live ? connected : await connectTo(product, to.test));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    of: (productId) => connectedTo(live, productId),
    sandboxOf: (productId) => connectedTo(test, productId),
    inside: anyInside,
    close,
  };
}

function connectedTo(upstreams: ReadonlyMap<string, Upstream>, productId: string): Upstream {
  const upstream = upstreams.get(productId);
  if (upstream === undefined) throw new Error(`no upstream for ${productId}`);
  return upstream;
}

function connectPool(address: string, settings: UpstreamSettings): Omit<Upstream, 'productId' | 'rewriteLocations'> {
  const { upstreamTimeoutMs: timeoutMs, upstreamConnections } = settings;
  const pool = new Pool(new URL(address).origin, {
    connections: upstreamConnections,
    pipelining: 1,
    connect: createConnector(new URL(address), Math.min(timeoutMs, 5000)),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  return {
    queue: createUpstreamQueue({ slots: upstreamConnections, maxQueueAgeMs: settings.upstreamPatienceMs }),
    forward: (forwarding) => forward(pool, forwarding),
    read: async (path) => {
      const response = await pool.request({ method: 'GET', path, headersTimeout: 5000, bodyTimeout: 5000 });
      return { status: response.statusCode, body: Buffer.from(await response.body.arrayBuffer()) };
    },
    close: () => pool.close(),
  };
}

async function mountInside(
  address: string,
  settings: UpstreamSettings,
): Promise<Omit<Upstream, 'productId' | 'rewriteLocations'>> {
  const product = await mountProduct(address);
  return {
    queue: createUpstreamQueue({ slots: settings.upstreamConnections, maxQueueAgeMs: settings.upstreamPatienceMs }),
    forward: (forwarding) => serveInside(product, settings.upstreamTimeoutMs, forwarding),
    read: product.read,
    close: product.close,
  };
}
