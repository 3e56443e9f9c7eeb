import type { Catalog, Product } from '#catalog/catalog.ts';
import { badPath, type Refusal, unknownPath } from './refusals.ts';
import { hasDotSegment } from './safe-path.ts';

export interface Route {
  product: Product;
  /** The path and query at the product. */
  path: string;
  /** The product's OpenAPI document: for anyone to read, without a key, never counted. */
  isDescription: boolean;
}

/** Finds the product of a path `/{gatewayPath}/v1/…`, or of its `/openapi.json`; the product sees the rest under its own address. */
export function createRouter(
  catalog: Catalog,
  upstreams: ReadonlyMap<string, string>,
): (target: string) => Route | Refusal {
  const byPath = new Map(
    catalog.products.map((product) => {
      const address = new URL(upstreams.get(product.id) ?? product.upstreamUrl);
      const base = address.protocol === 'file:' ? '' : address.pathname.replace(/\/+$/, '');
      return [product.gatewayPath, { product, base }];
    }),
  );
  return (target) => {
    if (!target.startsWith('/')) return badPath;
    const end = target.indexOf('/', 1);
    const served = end === -1 ? undefined : byPath.get(target.slice(1, end));
    const rest = target.slice(end);
    if (served === undefined) return unknownPath;
    const { product, base } = served;
    if (rest === '/openapi.json') return { product, path: base + rest, isDescription: true };
    if (!/^\/v\d+(?:[/?]|$)/.test(rest)) return unknownPath;
    if (hasDotSegment(rest)) return badPath;
    return { product, path: base + rest, isDescription: false };
  };
}
