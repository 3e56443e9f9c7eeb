import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Product } from '#catalog/catalog.ts';
import { maxBytesHere } from '#catalog/read-version.ts';
import { methodNotAllowed, upstreamFailed } from '#gateway/http/refusals.ts';
import type { Reply } from '#gateway/http/reply.ts';
import { sendDocument, type StoredDocument } from '#gateway/http/stored-document.ts';
import { maxDocumentBytes, type Upstream } from '#gateway/upstream/upstream.ts';
import { askProcess } from '#shared/platform/ask-process.ts';
import { builtProgram } from '#shared/platform/built-program.ts';
import { type DocumentTask, type ShownDocument, shownDocument } from './shown-document.ts';

/** How long a document is shown before it is read again, and how long readers are told that it could not be read. */
const freshMs = 5000;
const failedMs = 1000;

const worker = {
  program: builtProgram('openapi-worker'),
  answer: z.union([z.object({ shown: z.custom<ShownDocument>() }), z.object({ fault: z.string() })]),
  timeoutMs: 60_000,
  maxMemoryMb: 1024,
};

async function documentFor(task: DocumentTask): Promise<ShownDocument> {
  if (task.source.length <= maxBytesHere) return shownDocument(task);
  const answer = await askProcess(worker, task);
  if ('fault' in answer) throw new Error(answer.fault);
  return answer.shown;
}

export interface ProductOpenApiDeps {
  /** Address of the gateway for customers. */
  gatewayUrl: string;
  /** Address of the portal. */
  portalUrl: string;
  upstreamOf: (productId: string) => Upstream;
  /** Those that are among the files of the catalogue, by product id. */
  documents: ReadonlyMap<string, Buffer>;
  /** Called with calls that customers can make although the document marks them `x-internal`. */
  onOpenInternal: (productId: string, calls: readonly string[]) => void;
  /** Called with the reason when a product has no readable document. */
  onFailure: (productId: string, requestId: string, error: Error) => void;
}

/** A document as last read, and what customers see of it. */
interface Shown {
  source: Buffer;
  document: StoredDocument;
}

/** A read of a document, which all who ask for it meanwhile share. */
interface Read {
  document: Promise<StoredDocument>;
  /** Infinity while it runs. */
  untilMs: number;
}

/**
 * Serves the products' OpenAPI documents, without a key and uncounted: readers of a reference may not have a key yet. However many ask,
 * a product is asked once in a while.
 */
export function createProductOpenApi(
  deps: ProductOpenApiDeps,
): (req: IncomingMessage, product: Product, path: string, reply: Reply) => Promise<void> {
  const { gatewayUrl, portalUrl } = deps;
  const shown = new Map<string, Shown>();
  const reads = new Map<string, Read>();

  const read = async (product: Product, path: string): Promise<Buffer> => {
    const own = deps.documents.get(product.id);
    if (own !== undefined) return own;
    const { status, body } = await deps.upstreamOf(product.id).read(path);
    if (status !== 200) throw new Error(`its OpenAPI document has status ${status}`);
    return body;
  };

  const show = async (product: Product, path: string): Promise<StoredDocument> => {
    const source = await read(product, path);
    if (source.length > maxDocumentBytes) throw new Error('its OpenAPI document is too large');
    const known = shown.get(product.id);
    if (known?.source.equals(source)) return known.document;
    const { document, open } = await documentFor({ source, product, gatewayUrl, portalUrl });
    if (open.length > 0) deps.onOpenInternal(product.id, open);
    shown.set(product.id, { source, document });
    return document;
  };

  const share = (product: Product, path: string): Promise<StoredDocument> => {
    const known = reads.get(product.id);
    if (known !== undefined && performance.now() < known.untilMs) return known.document;
    const next: Read = { document: show(product, path), untilMs: Infinity };
    reads.set(product.id, next);
    const keepFor = (ms: number) => (): void => void (next.untilMs = performance.now() + ms);
    next.document.then(keepFor(freshMs), keepFor(failedMs));
    return next.document;
  };

  return async (req, product, path, reply) => {
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return reply.refuse(methodNotAllowed(req.method ?? '', ['GET', 'HEAD']));
    try {
      sendDocument(req, reply, await share(product, path));
    } catch (error) {
      deps.onFailure(product.id, reply.requestId, error instanceof Error ? error : new Error(String(error)));
      reply.refuse(upstreamFailed);
    }
    return undefined;
  };
}
