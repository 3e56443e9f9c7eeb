import { Pool } from 'undici';
import type { Catalog } from '#catalog/catalog.ts';
import { connectorFor } from './connector.ts';
import { type Forwarding, forward, type Serving } from './forward.ts';
import { mountProduct, serveInside } from './inside.ts';
import { createWaitingLine, type WaitingLine } from './waiting-line.ts';

/** What answers the calls of one product. */
export interface Upstream {
  productId: string;
  line: WaitingLine;
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

export interface Upstreams {
  of: (productId: string) => Upstream;
  /** Does any product run in this process? */
  inside: boolean;
  close: () => Promise<void>;
}

/** Connects every product of the catalogue, or mounts it in this process when its address begins with `file:`. */
export async function connectUpstreams(
  catalog: Catalog,
  addresses: ReadonlyMap<string, string>,
  settings: UpstreamSettings,
): Promise<Upstreams> {
  const byId = new Map<string, Upstream>();
  let anyInside = false;
  const close = async (): Promise<void> => {
    await Promise.all([...byId.values()].map((upstream) => upstream.close()));
  };
  try {
    for (const product of catalog.products) {
      const address = addresses.get(product.id) ?? product.upstreamUrl;
      const isInside = address.startsWith('file:');
      anyInside ||= isInside;
      const connected = isInside ? await inside(address, settings) : outside(address, settings);
      byId.set(product.id, { productId: product.id, ...connected });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    of: (productId) => {
      const upstream = byId.get(productId);
      if (upstream === undefined) throw new Error(`no upstream for ${productId}`);
      return upstream;
    },
    inside: anyInside,
    close,
  };
}

function outside(address: string, settings: UpstreamSettings): Omit<Upstream, 'productId'> {
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

async function inside(address: string, settings: UpstreamSettings): Promise<Omit<Upstream, 'productId'>> {
  const product = await mountProduct(address);
  return {
    line: createWaitingLine({ slots: settings.upstreamConnections, patienceMs: settings.upstreamPatienceMs }),
    serve: (forwarding) => serveInside(product, settings.upstreamTimeoutMs, forwarding),
    read: product.read,
    close: product.close,
  };
}
