import type { Socket } from 'node:net';
import { buildConnector, Pool } from 'undici';
import type { Catalog } from '#catalog/catalog.ts';
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
    connect: connectorFor(address, Math.min(timeoutMs, 5000)),
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

/** Where every connection's bytes are read, one read at a time. */
const justRead = Buffer.allocUnsafeSlow(64 * 1024);

/**
 * Opens connections that keep a copy of what came, and not the 64 KB that Node would set aside for each read and shrink afterwards: most
 * answers are small, and collections of garbage look at each such piece by itself.
 */
function connectorFor(address: string, timeout: number): buildConnector.connector {
  // With TLS one connector remembers the sessions of all its connections.
  if (address.startsWith('https:')) return buildConnector({ timeout });
  return (target, done) => {
    let opened: Socket | undefined;
    const callback = (length: number): boolean => opened?.push(Buffer.from(justRead.subarray(0, length))) ?? false;
    buildConnector({ timeout, onread: { buffer: justRead, callback } })(target, (...[error, socket]) => {
      if (error === null) done(null, (opened = socket));
      else done(error, null);
    });
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
