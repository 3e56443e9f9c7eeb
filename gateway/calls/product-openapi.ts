import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Product } from '#catalog/catalog.ts';
import { addedHeaderNames } from '#catalog/gateway-options.ts';
import { publicOpenApi } from '#catalog/public-openapi.ts';
import { methodNotAllowed, upstreamFailed } from '#gateway/http/refusals.ts';
import type { Reply } from '#gateway/http/reply.ts';
import { sendDocument, storeDocument, type StoredDocument } from '#gateway/http/stored-document.ts';
import type { Upstream } from '#gateway/upstream/upstream.ts';

/** Far larger than any real OpenAPI document. */
const maxBytes = 32 * 1024 * 1024;

export interface ProductOpenApiDeps {
  /** Address of the gateway for customers. */
  gatewayUrl: string;
  /** Address of the portal. */
  portalUrl: string;
  upstreamOf: (productId: string) => Upstream;
  /** Called with the reason when a product has no readable document. */
  onFailure: (productId: string, requestId: string, error: Error) => void;
}

/** A document as last read, and what customers see of it. */
interface Shown {
  source: Buffer;
  document: StoredDocument;
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

  const show = async (product: Product, path: string): Promise<StoredDocument> => {
    const source = await read(product, path);
    if (source.length > maxBytes) throw new Error('its OpenAPI document is too large');
    const known = shown.get(product.id);
    if (known?.source.equals(source)) return known.document;
    const publicSide = publicOpenApi(JSON.parse(source.toString()), {
      url: `${deps.gatewayUrl}/${product.gatewayPath}`,
      portalUrl: deps.portalUrl,
      paths: product.gateway.paths,
      hiddenHeaders: addedHeaderNames(product.gateway),
      operations: product.metered,
      deprecations: product.deprecations,
    });
    const document = await storeDocument(publicSide);
    shown.set(product.id, { source, document });
    return document;
  };

  return async (req, product, path, reply) => {
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return reply.refuse(methodNotAllowed(req.method ?? '', ['GET', 'HEAD']));
    try {
      sendDocument(req, reply, await show(product, path));
    } catch (error) {
      deps.onFailure(product.id, reply.requestId, error instanceof Error ? error : new Error(String(error)));
      reply.refuse(upstreamFailed);
    }
    return undefined;
  };
}
