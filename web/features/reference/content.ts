import { asMembers, type Members } from '#shared/domain/members.ts';
import { type ApiDescription, asText, entriesOf, resolved } from '#web/features/reference/api-description.ts';
import { type Schema, readSchema } from '#web/features/reference/schema.ts';
import { exampleOf } from '#web/features/reference/schema-example.ts';
import type { Direction } from '#web/features/reference/schema-fields.ts';

/** An example value of the document, and its name. */
export interface Example {
  name: string;
  value: unknown;
  /** Was something left empty that the schema has? */
  isShortened?: boolean;
}

/** A field of a form: a text, or a file. */
export interface FormPart {
  name: string;
  required: boolean;
  isFile: boolean;
  schema: Schema;
  example: string;
}

/** The request or response body in one media type. */
export interface Content {
  mediaType: string;
  kind: 'json' | 'form' | 'multipart' | 'text' | 'file';
  /** Of a request. */
  required: boolean;
  /** As in the document. */
  schema: unknown;
  /** Made when they are needed: a schema may be large. */
  examples: () => Example[];
  /** Of a form. */
  parts: FormPart[];
}

/** The body in one of its media types: JSON if there is any, else a form, else the first one. */
export function contentOf(description: ApiDescription, body: Members, direction: Direction): Content | undefined {
  const offers = entriesOf(body['content']);
  const of = (form: RegExp) => offers.find(([type]) => form.test(type));
  const [offered, given] =
    of(/^application\/json\b/i) ?? of(/[/+]json\b/i) ?? of(/^multipart\/|x-www-form-urlencoded/i) ?? offers[0] ?? [];
  if (offered === undefined) return undefined;
  const media = resolved(description, given);
  const schema = readSchema(description, media['schema'] ?? {});
  const kind = kindOf(offered, schema);
  // A range such as */* cannot be sent.
  const mediaType = offered.includes('*')
    ? kind === 'json'
      ? 'application/json'
      : 'application/octet-stream'
    : offered;
  return {
    mediaType,
    kind,
    required: body['required'] === true,
    schema: media['schema'],
    examples: () => examplesOf(description, media, schema, kind, direction),
    parts: kind === 'form' || kind === 'multipart' ? partsOf(description, schema, direction) : [],
  };
}

function kindOf(mediaType: string, schema: Schema): Content['kind'] {
  if (/[/+]json\b/i.test(mediaType)) return 'json';
  if (/x-www-form-urlencoded/i.test(mediaType)) return 'form';
  if (/^multipart\//i.test(mediaType)) return 'multipart';
  if (/^text\/|[/+](?:xml|yaml|x-yaml|csv|javascript|graphql|sql|x-ndjson|jsonl?)\b/i.test(mediaType)) return 'text';
  return mediaType.includes('*') && schema.types.some((type) => type === 'object' || type === 'array')
    ? 'json'
    : 'file';
}

function examplesOf(
  description: ApiDescription,
  media: Members,
  schema: Schema,
  kind: Content['kind'],
  direction: Direction,
): Example[] {
  const named = entriesOf(media['examples']).flatMap(([name, given]) => {
    const { summary, value } = resolved(description, given);
    return value === undefined ? [] : [{ name: asText(summary) ?? name, value }];
  });
  if (named.length > 0) return named;
  const given = media['example'] === undefined ? schema.examples : [media['example']];
  if (given.length > 0) return given.map((value, index) => ({ name: String(index + 1), value }));
  const isShown = kind === 'json' && media['schema'] !== undefined;
  return isShown ? [{ name: '1', ...exampleOf(description, media['schema'], direction) }] : [];
}

function partsOf(description: ApiDescription, schema: Schema, direction: Direction): FormPart[] {
  return [...schema.properties].flatMap(([name, property]) => {
    const part = readSchema(description, property);
    if (direction === 'request' && part.readOnly) return [];
    const member = part.items === undefined ? part : readSchema(description, part.items);
    const [example = part.default] = part.examples;
    return [
      {
        name,
        required: schema.required.has(name),
        isFile: isFile(member, property),
        schema: part,
        example: typeof example === 'string' ? example : (JSON.stringify(example) ?? ''),
      },
    ];
  });
}

/** OpenAPI 3.0 writes files as `format: binary`; 3.1 as a media type, or as a schema without a type. */
function isFile({ types, format, properties, choices, values }: Schema, given: unknown): boolean {
  if (format === 'binary') return true;
  const { contentMediaType, contentEncoding } = asMembers(given) ?? {};
  if (contentMediaType !== undefined) return contentEncoding === undefined && contentMediaType !== 'application/json';
  return types.length === 0 && properties.size === 0 && choices.length === 0 && values === undefined;
}

/** An example as it is typed into the form: JSON set out in lines, text as it is. */
export function exampleText({ kind }: Content, value: unknown): string {
  return kind !== 'json' && typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}
