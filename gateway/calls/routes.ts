import type { Catalog, Product } from '#catalog/catalog.ts';
import { refusalFinder } from '#catalog/refused-calls.ts';
import { operationFinder, type OperationsOf } from '#shared/domain/operation.ts';
import { badPath, type Refusal, unknownPath } from '#gateway/http/refusals.ts';
import { hasDotSegment } from '#gateway/http/safe-path.ts';
import { createDeprecationLines, type DeprecationLines } from './deprecation-lines.ts';
import { addressesOf, basePath, type UpstreamAddresses } from '#gateway/upstream/upstream.ts';

export interface Route {
  product: Product;
  /** The operations of the catalogue that it may be a call of; undefined if nobody can tell. */
  operations: () => ReturnType<OperationsOf>;
  /** Path and query at the product. */
  path: string;
  /** Path and query at its sandbox, if it has one. */
  sandboxPath: string;
  /** A request for the product's OpenAPI document, which needs no key and is never counted. */
  isOpenApi: boolean;
  /** The headers of a deprecated API, formatted; undefined when nothing of the product is deprecated. */
  deprecation?: DeprecationLines | undefined;
}

const onlyUnlisted: readonly string[] = [''];
const noOperation = (): readonly string[] => onlyUnlisted;

/**
 * Finds requests for a product's OpenAPI document, in every spelling that the product may read: only the gateway sends it,
 * without the addresses and headers of the upstream. Undefined if nobody can tell. `upstreamPath`: where the product itself has it; '' if
 * nowhere.
 */
function documentFinder(upstreamPath: string): (path: string) => boolean | undefined {
  // A path with a query may be that of operations too.
  const paths = ['/openapi.json', ...(/[?#]/.test(upstreamPath) || upstreamPath === '/' ? [] : [upstreamPath])];
  const document = 'document';
  const operations = paths.filter((path) => path !== '').map((path) => ({ id: document, method: 'GET', path }));
  const find = operationFinder(operations);
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
  return (path) => path === '/openapi.json' || (mayBe(path) && find('GET', path)?.includes(document));
}

/**
 * Routes what is sold of `/{gatewayPath}/v1/…` (with `paths: any` every path below it) and `/{gatewayPath}/openapi.json` to a product, replacing the prefix
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
      const operationsOf = product.metered.length === 0 ? noOperation : operationFinder(product.metered);
      return [
        product.gatewayPath,
        {
          product,
          base: basePath(live),
          testBase: basePath(test ?? live),
          openApiPath,
          isDocument: documentFinder(openApiPath),
          operationsOf,
          isRefused: refusalFinder(product, product.metered),
          deprecation: createDeprecationLines(product, portalUrl),
        },
      ];
    }),
  );
  return (method, target) => {
    if (!target.startsWith('/') || target.includes('#')) return badPath;
    const end = target.indexOf('/', 1);
    const served = end === -1 ? undefined : byPath.get(target.slice(1, end));
    const rest = target.slice(end);
    if (served === undefined) return unknownPath;
    const { product, base, testBase, openApiPath, isDocument, operationsOf, isRefused, deprecation } = served;
    const isOpenApi = isDocument(rest);
    if (isOpenApi === undefined) return badPath;
    if (isOpenApi) return { product, operations: noOperation, path: base + openApiPath, sandboxPath: '', isOpenApi };
    if (product.gateway.paths === 'versioned' && !/^\/v\d+(?:[/?]|$)/.test(rest)) return unknownPath;
    if (hasDotSegment(rest)) return badPath;
    if (isRefused !== undefined) {
      const refused = isRefused(method, rest);
      if (refused !== false) return refused === undefined ? badPath : unknownPath;
    }
    const operations = (): ReturnType<OperationsOf> => operationsOf(method, rest);
    return { product, operations, path: base + rest, sandboxPath: testBase + rest, isOpenApi, deprecation };
  };
}
