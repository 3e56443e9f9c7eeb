import { Pool } from 'undici';
import type { Catalog, Product } from '#catalog/catalog.ts';
import { connectorFor } from './connector.ts';
import { type Forwarding, forward, type Serving } from './forward.ts';
import { mountProduct, serveInside } from './inside.ts';
import { createRelocate, type Relocate } from './relocate.ts';
import { createWaitingLine, type WaitingLine } from './waiting-line.ts';

/** What answers the calls of one product. */
export interface Upstream {
  productId: string;
  line: WaitingLine;
  /** Makes its own addresses in headers those of the gateway. */
  relocate: Relocate;
  /** Passes on an admitted call. */
  serve: (forwarding: Forwarding) => Serving;
  /** Reads one of its documents, for nobody's account. */
  read: (path: string) => Promise<{ status: number; body: Buffer }>;
  close: () => Promise<unknown>;
}

export interface UpstreamSettings {
  upstreamTimeoutMs: number;
  upstreamConnections: number;
  upstreamPatienceMs: number;
}

/** Addresses by product id; the catalogue's own where a map has none. */
export interface UpstreamAddresses {
  upstreams: ReadonlyMap<string, string>;
  /** Only of products that have a sandbox. */
  sandboxes: ReadonlyMap<string, string>;
}

export interface Upstreams {
  of: (productId: string) => Upstream;
  /** What answers calls of test keys. */
  sandboxOf: (productId: string) => Upstream;
  /** Does any product run in this process? */
  inside: boolean;
  close: () => Promise<void>;
}

/** Where a product's calls go, and those of its test keys, which is nowhere without a sandbox. */
export function addressesOf(
  { id, upstreamUrl, sandbox }: Product,
  { upstreams, sandboxes }: UpstreamAddresses,
): { live: string; test: string | undefined } {
  return {
    live: upstreams.get(id) ?? upstreamUrl,
    test: sandbox === undefined ? undefined : (sandboxes.get(id) ?? sandbox.upstreamUrl),
  };
}

/** Connects every product of the catalogue, or mounts it in this process when its address begins with `file:`. */
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
    const relocate = createRelocate(address, gatewayPath);
    return { productId, relocate, ...(isInside ? await inside(address, settings) : outside(address, settings)) };
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

function outside(address: string, settings: UpstreamSettings): Omit<Upstream, 'productId' | 'relocate'> {
  const { upstreamTimeoutMs: timeoutMs, upstreamConnections } = settings;
  const pool = new Pool(new URL(address).origin, {
    connections: upstreamConnections,
    pipelining: 1,
    connect: connectorFor(new URL(address), Math.min(timeoutMs, 5000)),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  return {
    line: createWaitingLine({ slots: upstreamConnections, patienceMs: settings.upstreamPatienceMs }),
    serve: (forwarding) => forward(pool, forwarding),
    read: async (path) => {
      const answer = await pool.request({ method: 'GET', path, headersTimeout: 5000, bodyTimeout: 5000 });
      return { status: answer.statusCode, body: Buffer.from(await answer.body.arrayBuffer()) };
    },
    close: () => pool.close(),
  };
}

async function inside(address: string, settings: UpstreamSettings): Promise<Omit<Upstream, 'productId' | 'relocate'>> {
  const product = await mountProduct(address);
  return {
    line: createWaitingLine({ slots: settings.upstreamConnections, patienceMs: settings.upstreamPatienceMs }),
    serve: (forwarding) => serveInside(product, settings.upstreamTimeoutMs, forwarding),
    read: product.read,
    close: product.close,
  };
}
