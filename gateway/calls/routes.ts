import type { Catalog, Product } from '#catalog/catalog.ts';
import { badPath, type Refusal, unknownPath } from '#gateway/http/refusals.ts';
import { hasDotSegment } from '#gateway/http/safe-path.ts';
import { addressesOf, type UpstreamAddresses } from '#gateway/upstream/upstream.ts';

export interface Route {
  product: Product;
  /** The path and query at the product. */
  path: string;
  /** The same at its sandbox, when it has one. */
  sandboxPath: string;
  /** The product's OpenAPI document: for anyone to read, without a key, never counted. */
  isDescription: boolean;
}

/** Finds the product of a path `/{gatewayPath}/v1/…`, or of its `/openapi.json`; the product sees the rest under its own address. */
export function createRouter(catalog: Catalog, addresses: UpstreamAddresses): (target: string) => Route | Refusal {
  const byPath = new Map(
    catalog.products.map((product) => {
      const { live, test } = addressesOf(product, addresses);
      return [product.gatewayPath, { product, base: basePath(live), testBase: basePath(test ?? live) }];
    }),
  );
  return (target) => {
    if (!target.startsWith('/')) return badPath;
    const end = target.indexOf('/', 1);
    const served = end === -1 ? undefined : byPath.get(target.slice(1, end));
    const rest = target.slice(end);
    if (served === undefined) return unknownPath;
    const { product, base, testBase } = served;
    if (rest === '/openapi.json') return { product, path: base + rest, sandboxPath: '', isDescription: true };
    if (!/^\/v\d+(?:[/?]|$)/.test(rest)) return unknownPath;
    if (hasDotSegment(rest)) return badPath;
    return { product, path: base + rest, sandboxPath: testBase + rest, isDescription: false };
  };
}

function basePath(address: string): string {
  const { protocol, pathname } = new URL(address);
  return protocol === 'file:' ? '' : pathname.replace(/\/+$/, '');
}
