/** What a call of an operation costs, and which operations a call may be of. */

import { decodeOnce, pathReadings, plainName } from './path-readings.ts';

/** A status such as 404, or a class such as `2xx`. */
export type StatusPattern = number | '2xx' | '3xx' | '4xx';

/** What one call of an operation uses of the quota. */
export interface CallCost {
  /** Units of quota; 0 for a free operation. */
  units: number;
  /** Only these statuses count, of those that count by `shared/domain/metering.ts`; undefined for all of them. */
  counts?: readonly StatusPattern[] | undefined;
}

/** The cost of a call of which the plan says nothing. */
export const standardCost: CallCost = { units: 1 };

/** Does a response that counts by its status use the units of its call? */
export function isCharged({ units, counts }: CallCost, status: number): boolean {
  if (units === 0) return false;
  return counts === undefined || counts.some((one) => one === status || one === `${Math.floor(status / 100)}xx`);
}

/**
 * The cost of a call that may be of several operations: the units of the dearest, for every status that counts for one of them.
 * `costs` has at least one.
 */
export function dearestOf(costs: readonly CallCost[]): CallCost {
  const [first = standardCost, ...others] = costs;
  return others.reduce(dearer, first);
}

function dearer(one: CallCost, other: CallCost): CallCost {
  if (one.units === 0) return other;
  if (other.units === 0) return one;
  const units = Math.max(one.units, other.units);
  if (one.counts === undefined || other.counts === undefined) return { units };
  return { units, counts: [...new Set([...one.counts, ...other.counts])] };
}

/** An operation of a product: one method of one path. */
export interface Operation {
  id: string;
  method: string;
  /** As in its OpenAPI document: `/v1/invoices/{number}`. */
  path: string;
}

/**
 * The ids of all operations that the product may take a call for, and '' where it may take it for one that is not listed; undefined for a
 * path with more readings than any caller needs. `path`: may have a query.
 */
export type OperationsOf = (method: string, path: string) => readonly string[] | undefined;

interface Template {
  id: string;
  names: readonly Name[];
}

/** A segment of a path in an OpenAPI document: `invoices`, `{number}` or `{number}:cancel`. */
interface Name {
  /** What stands around its parameters, which are one fewer: as written, decoded, and as lenient servers compare it. */
  written: readonly string[];
  decoded: readonly string[];
  plain: readonly string[];
}

/** How a segment fits a name: the same, another spelling of it, the same around the value of a parameter, or such a value alone. */
type Fit = 'exact' | 'spelled' | 'around' | 'value';

/** The names that a server may see in a path, as they stand there and as lenient servers compare them. */
interface Reading {
  segments: readonly string[];
  plain: readonly string[];
  /** The same with the empty names between two slashes, if there are any. */
  withEmpty?: Reading | undefined;
  /** The same with an empty name after a final slash, if it has one. */
  withEmptyLast?: Reading | undefined;
}

interface Match {
  id: string;
  fits: readonly Fit[];
}

/**
 * Finds operations by method and path. Every reading that a product may have of a path counts, so that no spelling buys an operation for
 * less than it costs. As OpenAPI says, a literal name goes before a parameter; only where it is spelled otherwise a product may see either.
 */
export function operationFinder(operations: readonly Operation[]): OperationsOf {
  const byMethod = new Map<string, Template[]>();
  const heads = new Set(operations.flatMap(({ method, path }) => (method === 'HEAD' ? [path] : [])));
  // Products respond to HEAD as to GET, unless it is listed for the path.
  const asHead = operations.filter(({ method, path }) => method === 'GET' && !heads.has(path));
  for (const { id, method, path } of [...operations, ...asHead.map((each) => ({ ...each, method: 'HEAD' }))]) {
    const names = segmentsOf(path).map(readName);
    byMethod.set(method, [...(byMethod.get(method) ?? []), { id, names }]);
  }
  return (method, path) => {
    const readings = readPath(path);
    const templates = byMethod.get(method) ?? [];
    return readings && [...new Set(readings.flatMap((reading) => idsFor(templates, reading)))];
  };
}

/** The operations for one reading of a path: most servers overlook an empty name, some take it for the value of a parameter. */
function idsFor(templates: readonly Template[], reading: Reading): readonly string[] {
  const { withEmpty, withEmptyLast } = reading;
  const ids = namedIdsFor(templates, reading);
  const others = [withEmpty, ids[0] === '' ? withEmptyLast : undefined];
  const listed = others.flatMap((other) => (other ? namedIdsFor(templates, other).filter((id) => id !== '') : []));
  return [...ids, ...listed];
}

/** The operations that a product may find for one reading of a path. */
function namedIdsFor(templates: readonly Template[], reading: Reading): readonly string[] {
  const matches = templates.flatMap((template) => match(template, reading) ?? []);
  const [only] = matches;
  if (only === undefined) return [''];
  if (matches.length === 1) return [only.id];
  return matches.filter((one) => !matches.some((other) => goesBefore(other, one))).map(({ id }) => id);
}

function match({ id, names }: Template, { segments, plain }: Reading): Match | undefined {
  if (names.length !== segments.length) return undefined;
  const fits: Fit[] = [];
  for (const [index, name] of names.entries()) {
    const fit = fitOf(name, segments[index] ?? '', plain[index] ?? '', index === names.length - 1);
    if (fit === undefined) return undefined;
    fits.push(fit);
  }
  return { id, fits };
}

function fitOf(
  { written, decoded, plain }: Name,
  segment: string,
  plainSegment: string,
  isLast: boolean,
): Fit | undefined {
  if (written.length > 1 && written.every((part) => part === '')) return segment === '' ? 'spelled' : 'value';
  if (fitsAround(written, segment) || fitsAround(decoded, segment)) return written.length === 1 ? 'exact' : 'around';
  if (fitsAround(plain, plainSegment)) return 'spelled';
  // Rails and others find /reports.json where they have /reports.
  if (isLast && fitsAround(plain, plainSegment.replace(/\.[^.]*$/, ''))) return 'spelled';
  return fitsAround(plain, plainSegment, 0) ? 'spelled' : undefined;
}

/** Do these parts stand in a text in this order, from its start to its end, with at least `between` characters between any two? */
function fitsAround(parts: readonly string[], text: string, between = 1): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const part of others) {
    const at = text.indexOf(part, from + between);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from + between <= text.length - last.length;
}

/** The first segment that fits the two differently decides, if the one has more of its exact name. */
function goesBefore(one: Match, other: Match): boolean {
  const index = one.fits.findIndex((fit, at) => fit !== other.fits[at]);
  return one.fits[index] === 'exact' || (one.fits[index] === 'around' && other.fits[index] === 'value');
}

function readName(segment: string): Name {
  const written = segment.split(/\{[^{}]*\}/);
  return { written, decoded: written.map(decodeOnce), plain: written.map(plainName) };
}

/** One call asks several finders about its path. */
let lastPath = '';
let lastReadings: readonly Reading[] | undefined = [{ segments: [], plain: [] }];

function readPath(path: string): readonly Reading[] | undefined {
  if (path === lastPath) return lastReadings;
  lastReadings = pathReadings(path)?.map((reading) => {
    const named = readNames(segmentsOf(reading));
    const all = reading.replace(/^\//, '').split('/');
    while (all.at(-1) === '') all.pop();
    return {
      ...named,
      withEmpty: all.length > named.segments.length ? readNames(all) : undefined,
      withEmptyLast: reading.endsWith('/') ? readNames([...all, '']) : undefined,
    };
  });
  lastPath = path;
  return lastReadings;
}

const readNames = (segments: readonly string[]): Reading => ({ segments, plain: segments.map(plainName) });

/** Without the empty names of repeated and final slashes. */
function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}
