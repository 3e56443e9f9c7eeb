import { z } from 'zod';
import { decodedStep } from '#shared/domain/json-pointer.ts';
import { withoutSelf, withPlacedReferences } from './placed-references.ts';

/** An OpenAPI 3.0, 3.1 or 3.2 document, as far as this project looks into one. Everything else passes unchanged. */

const loose = z.record(z.string(), z.unknown());
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;

/** An empty member, as YAML writes one by its name alone, is as good as none. */
const withoutEmpty = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const members = Object.entries(value);
    return members.every(([, member]) => member !== null)
      ? value
      : Object.fromEntries(members.filter(([, member]) => member !== null));
  }, schema);

const parameter = z.looseObject({
  name: z.string().optional(),
  in: z.string().optional(),
  $ref: z.string().optional(),
});
export const operation = withoutEmpty(
  z.looseObject({
    summary: z.string().optional(),
    description: z.string().optional(),
    tags: z.array(z.string()).optional(),
    parameters: z.array(parameter).optional(),
    responses: loose.optional(),
  }),
);
const pathItem = withoutEmpty(
  z.looseObject({
    parameters: z.array(parameter).optional(),
    ...Object.fromEntries(methods.map((method) => [method, operation.optional()])),
  }),
);
const info = z.looseObject({
  title: z.string().min(1),
  version: z.union([z.string(), z.number().transform(String)]).optional(),
  summary: z.string().optional(),
  description: z.string().optional(),
});
const server = z.looseObject({
  url: z.string(),
  variables: z.record(z.string(), z.looseObject({ default: z.unknown().optional() })).optional(),
});
const tag = z.looseObject({ name: z.string(), description: z.string().optional() });
const components = z.looseObject({
  parameters: z.record(z.string(), parameter).optional(),
  responses: loose.optional(),
  securitySchemes: loose.optional(),
  pathItems: loose.optional(),
});

const members = z.looseObject({
  openapi: z.string().regex(/^3\.[0-2](?:\.|$)/, 'must be OpenAPI 3.0, 3.1 or 3.2'),
  info: withoutEmpty(info),
  servers: z.array(server).optional(),
  tags: z.array(withoutEmpty(tag)).optional(),
  paths: withoutEmpty(z.record(z.string(), pathItem)).default({}),
  /** Since OpenAPI 3.1; documents of 3.0 call them `x-webhooks`. */
  webhooks: z.record(z.string(), loose).optional(),
  'x-webhooks': z.record(z.string(), loose).optional(),
  components: withoutEmpty(components).optional(),
  security: z.array(loose).optional(),
});
const document = withoutEmpty(members);

/** Path items that are references are replaced by what they refer to, as OpenAPI 3.1 allows; so are references in places where it allows none. */
export const openApiDocument = z
  .preprocess((given) => withPlacedReferences(withoutSelf(given)), document)
  .transform((read) => ({
    ...read,
    paths: Object.fromEntries(Object.entries(read.paths).map(([path, item]) => [path, withReferenced(item, read)])),
  }));

const referencedItem = /^#\/(components\/pathItems|paths)\/([^/]+)$/;

/** Members beside the reference come before those that it refers to. */
function withReferenced(
  item: z.output<typeof pathItem>,
  { paths, components }: z.output<typeof document>,
): z.output<typeof pathItem> {
  const { $ref, ...own } = item;
  const [, place, step = ''] = referencedItem.exec(String($ref)) ?? [];
  const name = decodedStep(step);
  const found = place === 'paths' ? paths[name] : pathItem.safeParse(components?.pathItems?.[name]).data;
  return found === undefined ? item : { ...found, ...own };
}

export type OpenApiDocument = z.output<typeof openApiDocument>;
export type Operation = z.output<typeof operation>;

/** An operation of an OpenAPI document, with its method in lower case. */
export interface Listed {
  path: string;
  method: string;
  operation: Operation;
}

/** The parameters of an operation and of its path, without references; the more specific last. */
export const parametersOf = ({ paths, components: placed }: OpenApiDocument, { path, operation: own }: Listed) =>
  [...(paths[path]?.parameters ?? []), ...(own.parameters ?? [])].map((each) => {
    const referenced = /^#\/components\/parameters\/([^/]+)$/.exec(String(each.$ref))?.[1];
    return placed?.parameters?.[decodedStep(referenced ?? '')] ?? each;
  });

/** All operations of a document: those for customers, and those that it marks `x-internal`, or whose path it does. */
export function listOperations({ paths }: OpenApiDocument): { sold: Listed[]; internal: Listed[] } {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    operationsOf(item).map(([method, each]) => ({
      listed: { path, method, operation: each },
      isSold: isPublic(item) && isPublic(each),
    })),
  );
  const those = (isSold: boolean): Listed[] => all.flatMap((each) => (each.isSold === isSold ? [each.listed] : []));
  return { sold: those(true), internal: those(false) };
}

/** With `versioned`, the gateway forwards /v1/…, /v2/… only. */
export type ForwardedPaths = 'versioned' | 'any';
export const isForwarded = (paths: ForwardedPaths, path: string): boolean =>
  paths === 'any' || /^\/v\d+(?:\/|$)/.test(path);

/** Whether a path, an operation or a webhook is for customers. */
export const isPublic = (part: unknown): boolean =>
  !(typeof part === 'object' && part !== null && 'x-internal' in part && part['x-internal'] === true);

/** The operations of a path, with their methods in lower case. */
export function operationsOf(item: OpenApiDocument['paths'][string]): [method: string, operation: Operation][] {
  return methods.flatMap((method) => {
    const read = operation.safeParse(item[method]);
    return item[method] !== undefined && read.success ? [[method, read.data]] : [];
  });
}
