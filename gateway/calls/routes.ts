import type { Catalog, Product } from '#catalog/catalog.ts';
import { type OperationOf, operationFinder } from '#domain/operation.ts';
import { badPath, type Refusal, unknownPath } from '#gateway/http/refusals.ts';
import { hasDotSegment } from '#gateway/http/safe-path.ts';
import { createDeprecationLines, type DeprecationLines } from './deprecation-lines.ts';
import { addressesOf, basePath, type UpstreamAddresses } from '#gateway/upstream/upstream.ts';

export interface Route {
  product: Product;
  /** The operation of the catalogue that it is a call of; '' for none. */
  operation: string;
  /** Path and query at the product. */
  path: string;
  /** Path and query at its sandbox, if it has one. */
  sandboxPath: string;
  /** A request for the product's OpenAPI document, which needs no key and is never counted. */
  isOpenApi: boolean;
  /** The headers of a deprecated API, formatted; undefined when nothing of the product is deprecated. */
  deprecation?: DeprecationLines | undefined;
}

const noOperation: OperationOf = () => '';

/**
 * Finds requests for a product's OpenAPI document, in every spelling that the product may read: only the gateway sends it,
 * without the addresses and headers of the upstream. `upstreamPath`: where the product itself has it; '' if nowhere.
 */
function documentFinder(upstreamPath: string): (path: string) => boolean {
  // A path with a query may be that of operations too.
  const paths = ['/openapi.json', ...(/[?#]/.test(upstreamPath) || upstreamPath === '/' ? [] : [upstreamPath])];
  const find = operationFinder(paths.filter((path) => path !== '').map((path) => ({ id: path, method: 'GET', path })));
  const names = paths.map(
    (path) =>
      path
        .split('/')
        .findLast((segment) => segment !== '')
        ?.toLowerCase() ?? '',
  );
  const mayBe = (path: string): boolean => {
    const lower = path.toLowerCase();
    return lower.includes('%') || names.some((name) => name !== '' && lower.includes(name));
  };
  return (path) => path === '/openapi.json' || (mayBe(path) && find('GET', path) !== '');
}

/**
 * Routes `/{gatewayPath}/v1/…` (with `paths: any` every path below it) and `/{gatewayPath}/openapi.json` to a product, replacing the prefix
 * with the product's base path.
 */
export function createRouter(
  catalog: Catalog,
  addresses: UpstreamAddresses,
  portalUrl = '',
): (method: string, target: string) => Route | Refusal {
  const byPath = new Map(
    catalog.products.map((product) => {
      const { live, test } = addressesOf(product, addresses);
      const openApiPath = 'path' in product.openapi ? product.openapi.path : '';
      const operationOf = product.metered.length === 0 ? noOperation : operationFinder(product.metered);
      return [
        product.gatewayPath,
        {
          product,
          base: basePath(live),
          testBase: basePath(test ?? live),
          openApiPath,
          isDocument: documentFinder(openApiPath),
          operationOf,
          deprecation: createDeprecationLines(product, portalUrl),
        },
      ];
    }),
  );
  return (method, target) => {
    if (!target.startsWith('/')) return badPath;
    const end = target.indexOf('/', 1);
    const served = end === -1 ? undefined : byPath.get(target.slice(1, end));
    const rest = target.slice(end);
    if (served === undefined) return unknownPath;
    const { product, base, testBase, openApiPath, isDocument, operationOf, deprecation } = served;
    if (isDocument(rest)) return { product, operation: '', path: base + openApiPath, sandboxPath: '', isOpenApi: true };
    if (product.gateway.paths === 'versioned' && !/^\/v\d+(?:[/?]|$)/.test(rest)) return unknownPath;
    if (hasDotSegment(rest)) return badPath;
    const operation = operationOf(method, rest);
    return { product, operation, path: base + rest, sandboxPath: testBase + rest, isOpenApi: false, deprecation };
  };
}
