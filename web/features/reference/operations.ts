import {
  type ApiDescription,
  type Media,
  type Parameter,
  type Schema,
  methods,
  resolved,
} from '#web/features/reference/api-description.ts';
import { exampleOf } from '#web/features/reference/schema-example.ts';

/** An example value of the document, and its name. */
export interface Example {
  name: string;
  value: unknown;
}

export interface OperationParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string | undefined;
  schema: Schema;
  /** As typed into a field; empty when the document has none. */
  example: string;
}

/** The request or response body in one media type. */
export interface Content {
  mediaType: string;
  schema: Schema | undefined;
  examples: Example[];
}

export interface OperationAnswer {
  status: string;
  description: string;
  content: Content | undefined;
}

/** One call of an API, as its document describes it, with every reference followed as far as its first schema. */
export interface Operation {
  /** Part of the URL of its page. */
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  parameters: OperationParameter[];
  /** Units of quota that a call uses; undefined if the provider says nothing, which is one. */
  units: number | undefined;
  /** Only these statuses use them; undefined for all that count. */
  unitStatuses: string[] | undefined;
  body: Content | undefined;
  answers: OperationAnswer[];
}

/** All calls of an API, in the order of its document. */
export function operationsOf(description: ApiDescription): Operation[] {
  return Object.entries(description.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const found = item[method];
      if (found === undefined) return [];
      const { operationId, summary, description: words, tags, parameters, requestBody, responses } = found;
      return {
        id: operationId ?? `${method}-${path.replaceAll(/[^A-Za-z0-9]+/g, '-').replaceAll(/^-|-$/g, '')}`,
        method: method.toUpperCase(),
        path,
        tag: tags?.[0] ?? description.info.title,
        summary: summary ?? `${method.toUpperCase()} ${path}`,
        description: words ?? '',
        units: found['x-quota-units'],
        unitStatuses: found['x-quota-statuses'],
        parameters: (parameters ?? []).flatMap((each) => parameterOf(description, each)),
        body: contentOf(description, requestBody?.content),
        answers: Object.entries(responses ?? {}).map(([status, answer]) => ({
          status,
          description: answer.description ?? '',
          content: contentOf(description, answer.content),
        })),
      };
    }),
  );
}

/** Calls under the headings of their tags, in the order in which the tags first appear. */
export function byTag(operations: readonly Operation[]): { tag: string; operations: Operation[] }[] {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) groups.set(operation.tag, [...(groups.get(operation.tag) ?? []), operation]);
  return [...groups].map(([tag, members]) => ({ tag, operations: members }));
}

/** True for a successful response. */
export function isSuccess({ status }: OperationAnswer): boolean {
  return status.startsWith('2');
}

/** Operations that contain every search term: in path, summary, description, tag, or the name of a parameter. */
export function searchOperations(operations: readonly Operation[], words: string): Operation[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return operations.filter(({ method, path, tag, summary, description, parameters }) => {
    const names = parameters.map(({ name }) => name);
    const text = [method, path, tag, summary, description, ...names].join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** The operation of a logged call, such as `GET /tax-lookup/v1/gstin/27**********1ZV`, with the parameters that its path shows. */
export function operationOfCall(
  operations: readonly Operation[],
  call: string,
): { operation: Operation; parameters: Record<string, string> } | undefined {
  const [method = '', path = ''] = call.split(' ', 2);
  const segments = path.split('/');
  for (const operation of operations) {
    const wanted = operation.path.split('/');
    // The logged path begins with the product's own.
    const own = segments.slice(segments.length - wanted.length + 1);
    const isSame = wanted.slice(1).every((each, index) => each.startsWith('{') || each === own[index]);
    if (operation.method !== method || segments.length < wanted.length || !isSame) continue;
    const named = wanted.slice(1).flatMap((each, index): [string, string][] => {
      const value = own[index] ?? '';
      // Masked in the log.
      return each.startsWith('{') && !value.includes('*') ? [[each.slice(1, -1), value]] : [];
    });
    return { operation, parameters: Object.fromEntries(named) };
  }
  return undefined;
}

function parameterOf(description: ApiDescription, given: Parameter): OperationParameter[] {
  if (given.in === 'cookie') return [];
  const schema = resolved(description, given.schema ?? {});
  const [named] = Object.values(given.examples ?? {});
  const example = given.example ?? named?.value ?? schema.examples?.[0] ?? schema.example;
  return [
    {
      name: given.name,
      in: given.in,
      required: given.required ?? given.in === 'path',
      description: given.description ?? schema.description,
      schema,
      example: typeof example === 'string' ? example : (JSON.stringify(example) ?? ''),
    },
  ];
}

/** JSON if available, else the first one. */
function contentOf(description: ApiDescription, content: Record<string, Media> | undefined): Content | undefined {
  const offers = Object.entries(content ?? {});
  const [mediaType, media] = offers.find(([type]) => type === 'application/json') ?? offers[0] ?? [];
  if (mediaType === undefined || media === undefined) return undefined;
  const schema = media.schema && resolved(description, media.schema);
  return { mediaType, schema, examples: examplesOf(description, mediaType, media, schema) };
}

function examplesOf(
  description: ApiDescription,
  mediaType: string,
  media: Media,
  schema: Schema | undefined,
): Example[] {
  const named = Object.entries(media.examples ?? {});
  if (named.length > 0) return named.map(([name, { summary, value }]) => ({ name: summary ?? name, value }));
  const [first, ...more] = schema?.examples ?? [];
  const given = media.example ?? first ?? schema?.example;
  if (given !== undefined) {
    return [given, ...(media.example === undefined ? more : [])].map((value, index) => ({
      name: String(index + 1),
      value,
    }));
  }
  if (schema === undefined || !/\bjson\b/.test(mediaType)) return [];
  return [{ name: '1', value: exampleOf(description, schema) }];
}
