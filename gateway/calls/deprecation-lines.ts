import type { Product } from '#catalog/catalog.ts';
import { type Deprecation, deprecationHeaders, deprecationMatcher } from '#shared/domain/deprecation.ts';
import { formatHeaders } from '#gateway/http/header-rules.ts';

/** The header lines of a call. `target`: as received, with the product's path on the gateway. */
export type DeprecationLines = (method: string, target: string) => string;

/** Undefined when nothing of the product is deprecated: its calls pay nothing. */
export function createDeprecationLines(
  { id, gatewayPath, deprecations }: Product,
  portalUrl: string,
): DeprecationLines | undefined {
  if (deprecations.length === 0) return undefined;
  const page = `${portalUrl}/reference/${id}`;
  const matchers = deprecations.map((each) => ({ each, matches: deprecationMatcher(each) }));
  const formatted = new Map<string, string>();
  const linesOf = (found: readonly Deprecation[]): string => formatHeaders(deprecationHeaders(found, page).flat());
  return (method, target) => {
    const path = target.slice(gatewayPath.length + 1);
    const found = matchers.filter(({ matches }) => matches(method, path)).map(({ each }) => each);
    const name = found.map((each) => deprecations.indexOf(each)).join();
    const known = formatted.get(name);
    if (known !== undefined) return known;
    const lines = linesOf(found);
    formatted.set(name, lines);
    return lines;
  };
}
