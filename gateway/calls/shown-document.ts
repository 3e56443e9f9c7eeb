import type { Product } from '#catalog/catalog.ts';
import { addedHeaderNames } from '#catalog/gateway-options.ts';
import { publicOpenApi } from '#catalog/public-openapi.ts';
import { openInternalCalls, refusalFinder } from '#catalog/refused-calls.ts';
import { describeWebhooks } from '#shared/contract/described-events.ts';
import { storeDocument, type StoredDocument } from '#gateway/http/stored-document.ts';

export interface DocumentTask {
  source: Uint8Array;
  product: Product;
  /** Address of the gateway for customers. */
  gatewayUrl: string;
  /** Address of the portal. */
  portalUrl: string;
}

export interface ShownDocument {
  document: StoredDocument;
  /** Calls that customers can make although the document marks them `x-internal`. */
  open: readonly string[];
}

/** What customers see of the OpenAPI document of a product. */
export async function shownDocument({ source, product, gatewayUrl, portalUrl }: DocumentTask): Promise<ShownDocument> {
  const isRefused = refusalFinder(product, product.metered);
  const { paths } = product.gateway;
  const parsed: unknown = JSON.parse(Buffer.from(source).toString());
  const publicSide = publicOpenApi(parsed, {
    url: `${gatewayUrl}/${product.gatewayPath}`,
    portalUrl,
    paths,
    hiddenHeaders: [...addedHeaderNames(product.gateway), ...product.gateway.requestHeaders.drop],
    webhooks: (dialect) => describeWebhooks(product.id, dialect),
    operations: product.metered,
    isRefused,
    deprecations: product.deprecations,
  });
  return { document: await storeDocument(publicSide), open: openInternalCalls(parsed, { paths, isRefused }) };
}
