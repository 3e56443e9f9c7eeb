import { z } from 'zod';
import { operationFinder } from '#shared/domain/operation.ts';
import {
  type ForwardedPaths,
  isForwarded,
  listOperations,
  methods,
  type OpenApiDocument,
  openApiDocument,
} from './openapi-document.ts';
import { type CatalogOperation, documentedPath } from './operations.ts';
import { ImportFault, openApiOf } from './read-openapi.ts';

/** Calls that an API takes and that are not sold: the gateway refuses them to every customer. */

const methodNames = methods.map((method) => method.toUpperCase());
const refusedCall = z.strictObject({
  /** Without one, every method of the path. */
  method: z.enum(methodNames).optional(),
  path: documentedPath,
});
export const refusedSchema = z.array(refusedCall).default([]);
type RefusedCall = z.output<typeof refusedCall>;
interface Call {
  method: string;
  path: string;
}

/** What of a product's API is not sold, and how it is told from what is. */
export interface Refusals {
  refused: readonly RefusedCall[];
  /** The other operations of its document, if any are refused: `/users/me` is no call of a refused `/users/{id}`. */
  documented: readonly Call[];
}

/** What of a product file says which calls are refused. */
interface RefusingProduct {
  refused: readonly RefusedCall[];
  metered: readonly CatalogOperation[];
  deprecations: readonly { of: string }[];
  openapi: { file: string } | { path: string };
}

type OnFault = (field: readonly PropertyKey[], message: string) => void;

/** The calls that a product's file lists, and those that its document marks `x-internal`. What is for sale can't be among them. */
export function readRefusals(
  { refused, metered, deprecations, openapi }: RefusingProduct,
  content: Buffer | undefined,
  onFault: OnFault,
): Refusals {
  const document = 'file' in openapi ? readDocument(openapi.file, content, onFault) : undefined;
  const refusals = document === undefined ? { refused, documented: [] } : withInternal(refused, document);
  const isRefused = refusalFinder(refusals, metered);
  const isDocumented = document === undefined ? () => true : documentedFinder(document);
  metered.forEach(({ method, path }, index) => {
    if (!isDocumented(method, path)) onFault(['metered', index], notDocumented(method, path));
    if (isRefused?.(method, path) === true)
      onFault(['metered', index], 'is refused to everybody: it is under refused, or its document marks it x-internal');
  });
  deprecations.forEach(({ of }, index) => {
    const [method = '', path] = of.split(' ');
    if (path !== undefined && !isDocumented(method, path))
      onFault(['deprecations', index, 'of'], notDocumented(method, path));
  });
  return refusals;
}

const notDocumented = (method: string, path: string): string => `its OpenAPI document has no ${method} ${path}`;

/** Whether a document has a call: under other names of parameters too, and where a value with slashes is listed as several (decision 041). */
function documentedFinder(document: OpenApiDocument): (method: string, path: string) => boolean {
  const { sold, internal } = listOperations(document);
  const known = [...sold, ...internal].map(({ method, path }) => ({
    method: method.toUpperCase(),
    parts: path.split(/\{[^{}]*\}/),
  }));
  return (method, path) => known.some((each) => each.method === method && fits(each.parts, path));
}

/** Whether a path consists of these parts with something between them. No regular expression: those take long for some documents. */
function fits([first = '', ...others]: readonly string[], path: string): boolean {
  const last = others.pop();
  if (last === undefined) return path === first;
  let end = first.length;
  for (const part of others) {
    const at = path.indexOf(part, end + 1);
    if (at < 0) return false;
    end = at + part.length;
  }
  return path.startsWith(first) && path.endsWith(last) && path.length - last.length > end;
}

/** A document that can't be read is a fault: what it marks would be open. */
function readDocument(file: string, content: Buffer | undefined, onFault: OnFault): OpenApiDocument | undefined {
  const fault = (message: string): undefined => {
    onFault(['openapi'], `${file}: ${message}`);
  };
  if (content === undefined || content.length === 0)
    return fault('there is no such file beside this one, or it is empty');
  try {
    const document = openApiOf(JSON.parse(content.toString()));
    for (const each of unclearMarks(document)) fault(each);
    return document;
  } catch (error) {
    if (error instanceof ImportFault) return fault(error.message);
    // The error of JSON.parse quotes what the file holds.
    if (error instanceof SyntaxError) return fault('is not valid JSON');
    throw error;
  }
}

/** What keeps a document's marks from being read: nobody would notice that the call is open. */
function unclearMarks({ paths }: OpenApiDocument): string[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const marks = [item, ...Object.values(item)].flatMap((part) =>
      typeof part === 'object' && part !== null && 'x-internal' in part ? [part['x-internal']] : [],
    );
    return [
      ...('$ref' in item
        ? [`${path} lies elsewhere (${String(item['$ref'])}), so nobody knows whether it is internal; write it here`]
        : []),
      ...(marks.every((mark) => typeof mark === 'boolean') ? [] : [`x-internal of ${path} must be true or false`]),
    ];
  });
}

/** A path of which the document sells nothing is refused with every method: servers have more than they document. */
function withInternal(listed: readonly RefusedCall[], document: OpenApiDocument): Refusals {
  const { sold, internal } = listOperations(document);
  const soldPaths = new Set(sold.map(({ path }) => path));
  const marked = internal.map(({ method, path }) =>
    soldPaths.has(path) ? { method: method.toUpperCase(), path } : { path },
  );
  const refused = new Map([...listed, ...marked].map((call) => [callText(call), call]));
  if (refused.size === 0) return { refused: [], documented: [] };
  const documented = sold
    .map(({ method, path }) => ({ method: method.toUpperCase(), path }))
    .filter((call) => !refused.has(callText(call)) && !refused.has(callText({ path: call.path })));
  return { refused: [...refused.values()], documented };
}

/** Calls that a document marks `x-internal` and that the gateway forwards: it can't know the documents that it reads from an API. */
export function openInternalCalls(
  document: unknown,
  side: { paths: ForwardedPaths; isRefused?: IsRefused | undefined },
): string[] {
  const { internal } = listOperations(openApiDocument.parse(document));
  return internal
    .map(({ method, path }) => ({ method: method.toUpperCase(), path }))
    .filter(({ method, path }) => isForwarded(side.paths, path) && side.isRefused?.(method, path) !== true)
    .map(callText);
}

/** `DELETE /users/{id}`, or `/admin (every method)`. */
export const callText = ({ method, path }: RefusedCall): string =>
  method === undefined ? `${path} (every method)` : `${method} ${path}`;

/** Whether a call may be of an operation that is refused; undefined if nobody can tell. */
export type IsRefused = (method: string, path: string) => boolean | undefined;

/** Matches refused calls in every spelling, as those that cost more (decision 041); undefined for a product that refuses none. */
export function refusalFinder({ refused, documented }: Refusals, metered: readonly Call[]): IsRefused | undefined {
  if (refused.length === 0) return undefined;
  const find = operationFinder([
    ...refused.flatMap(({ method, path }) =>
      (method === undefined ? methodNames : [method]).map((each) => ({ id: 'refused', method: each, path })),
    ),
    ...[...documented, ...metered].map(({ method, path }) => ({ id: 'sold', method, path })),
  ]);
  return (method, path) => find(method, path)?.includes('refused');
}
