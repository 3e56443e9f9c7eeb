import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Product } from '#catalog/catalog.ts';
import { addedHeaderNames } from '#catalog/gateway-options.ts';
import { publicOpenApi } from '#catalog/public-openapi.ts';
import { parseHeaders } from '#gateway/http/header-rules.ts';
import { methodNotAllowed, upstreamFailed } from '#gateway/http/refusals.ts';
import type { Reply } from '#gateway/http/reply.ts';
import type { Upstream } from '#gateway/upstream/upstream.ts';

/** Far larger than any real OpenAPI document. */
const maxBytes = 32 * 1024 * 1024;

export interface ProductOpenApiDeps {
  /** Address of the gateway for customers. */
  gatewayUrl: string;
  upstreamOf: (productId: string) => Upstream;
  /** Called with the reason when a product has no readable document. */
  onFailure: (productId: string, requestId: string, error: Error) => void;
}

/** A document as last read, and what customers see of it. */
interface Shown {
  source: Buffer;
  body: Buffer;
}

/** Serves the products' OpenAPI documents, without a key and uncounted: readers of a reference may not have a key yet. */
export function createProductOpenApi(
  deps: ProductOpenApiDeps,
): (req: IncomingMessage, product: Product, path: string, reply: Reply) => Promise<void> {
  const shown = new Map<string, Shown>();

  const read = async (product: Product, path: string): Promise<Buffer> => {
    if ('file' in product.openapi) return readFile(product.openapi.file);
    const { status, body } = await deps.upstreamOf(product.id).read(path);
    if (status !== 200) throw new Error(`its OpenAPI document has status ${status}`);
    return body;
  };

  const show = async (product: Product, path: string): Promise<Buffer> => {
    const source = await read(product, path);
    if (source.length > maxBytes) throw new Error('its OpenAPI document is too large');
    const known = shown.get(product.id);
    if (known?.source.equals(source)) return known.body;
    const document = publicOpenApi(JSON.parse(source.toString()), {
      url: `${deps.gatewayUrl}/${product.gatewayPath}`,
      paths: product.gateway.paths,
      hiddenHeaders: addedHeaderNames(product.gateway),
      operations: product.metered,
      deprecations: product.deprecations,
    });
    const body = Buffer.from(JSON.stringify(document));
    shown.set(product.id, { source, body });
    return body;
  };

  return async (req, product, path, reply) => {
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return reply.refuse(methodNotAllowed(req.method ?? '', ['GET', 'HEAD']));
    try {
      const body = await show(product, path);
      const headers = ['Content-Type', 'application/json', 'Cache-Control', 'public, max-age=300'];
      const { res, headerLines } = reply;
      res.writeHead(200, [...parseHeaders(headerLines), ...headers, 'Content-Length', String(body.length)]);
      res.end(req.method === 'HEAD' ? undefined : body);
    } catch (error) {
      deps.onFailure(product.id, reply.requestId, error instanceof Error ? error : new Error(String(error)));
      reply.refuse(upstreamFailed);
    }
    return undefined;
  };
}
