/** What a call of an operation costs, and which operation a call is of. */

/** A status such as 404, or a class such as `2xx`. */
export type StatusPattern = number | '2xx' | '3xx' | '4xx';

/** What one call of an operation uses of the quota. */
export interface CallCost {
  /** Units of quota; 0 for a free operation. */
  units: number;
  /** Only these statuses count, of those that count by `domain/metering.ts`; undefined for all of them. */
  counts?: readonly StatusPattern[] | undefined;
}

/** The cost of a call of which the plan says nothing. */
export const standardCost: CallCost = { units: 1 };

/** Does a response that counts by its status use the units of its call? */
export function isCharged({ units, counts }: CallCost, status: number): boolean {
  if (units === 0) return false;
  return counts === undefined || counts.some((one) => one === status || one === `${Math.floor(status / 100)}xx`);
}

/** An operation of a product: one method of one path. */
export interface Operation {
  id: string;
  method: string;
  /** As in its OpenAPI document: `/v1/invoices/{number}`. */
  path: string;
}

/** The id of the operation that a call is of; '' for none. `path`: may have a query. */
export type OperationOf = (method: string, path: string) => string;

interface Template {
  id: string;
  /** Lower case; undefined for a parameter. */
  segments: readonly (string | undefined)[];
}

/**
 * Finds operations by method and path. As OpenAPI says, a literal segment goes before a parameter. A path is read as forgivingly as any
 * product may read it (encoded letters, capitals, double and final slashes), so that another spelling costs no less.
 */
export function operationFinder(operations: readonly Operation[]): OperationOf {
  const byMethod = new Map<string, Template[]>();
  for (const { id, method, path } of operations) {
    const segments = segmentsOf(path).map((segment) => (/^\{.*\}$/.test(segment) ? undefined : segment));
    byMethod.set(method, [...(byMethod.get(method) ?? []), { id, segments }]);
  }
  for (const templates of byMethod.values()) templates.sort(literalFirst);
  return (method, path) => {
    const segments = segmentsOf(path);
    const isOne = ({ segments: of }: Template): boolean =>
      of.length === segments.length && of.every((one, index) => one === undefined || one === segments[index]);
    const found = byMethod.get(method)?.find(isOne);
    // Products respond to HEAD as to GET.
    return (found ?? (method === 'HEAD' ? byMethod.get('GET')?.find(isOne) : undefined))?.id ?? '';
  };
}

/** The first segment in which only one of two has a parameter decides. */
function literalFirst(one: Template, other: Template): number {
  for (const [index, segment] of one.segments.entries()) {
    const difference = Number(segment === undefined) - Number(other.segments[index] === undefined);
    if (difference !== 0) return difference;
  }
  return 0;
}

function segmentsOf(path: string): string[] {
  const end = path.search(/[?#]/);
  const plain = end === -1 ? path : path.slice(0, end);
  return plain
    .split('/')
    .map((segment) =>
      decoded(segment)
        .toLowerCase()
        .replace(/;.*$/, '')
        .replaceAll(/^[/\s]+|[/\s]+$/g, ''),
    )
    .filter((segment) => segment !== '');
}

function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
