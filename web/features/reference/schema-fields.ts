import { formatNumber } from '#domain/number-text.ts';
import { type ApiDescription, type Schema, resolved } from '#web/features/reference/api-description.ts';

/** One field of an object, or the members of a list, as the reference shows it. */
export interface SchemaField {
  name: string;
  required: boolean;
  type: string;
  /** Constraints beyond the type: lengths, ranges, patterns, the default. */
  limits: string[];
  /** The values allowed, where they are few and known. */
  values: string[];
  description: string;
  /** Its own fields; read when it is opened, since schemas may go round in circles. */
  fields: () => SchemaField[];
  hasFields: boolean;
}

/** The fields of an object; those of its members for a list. */
export function fieldsOf(description: ApiDescription, given: Schema): SchemaField[] {
  const schema = solid(description, given);
  if (schema.items !== undefined) return fieldsOf(description, schema.items);
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const field = solid(description, property);
    const inner = innermost(description, field);
    return {
      name,
      required: required.has(name),
      type: typeText(description, property),
      limits: limitsOf(field),
      values: (inner.enum ?? []).map(String),
      description: field.description ?? inner.description ?? '',
      fields: () => fieldsOf(description, inner),
      hasFields: Object.keys(inner.properties ?? {}).length > 0,
    };
  });
}

/** "list of text", "number or null": in words, as the reader may not know JSON Schema. */
export function typeText(description: ApiDescription, given: Schema): string {
  const schema = resolved(description, given);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    return [...new Set(choices.map((choice) => typeText(description, choice)))].join(' or ');
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? (schema.properties ? 'object' : 'any')];
  return types
    .map((type) => (type === 'array' ? `array of ${typeText(description, schema.items ?? {})}` : type))
    .join(' or ');
}

/** Length, range, pattern and default of a value, each as a short text. */
export function limitsOf(schema: Schema): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern, format } = schema;
  return [
    format,
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    range(minimum, maximum),
    pattern,
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ].filter((text) => text !== undefined);
}

/** The exact integer range of JSON numbers; generators write it where there is no limit. */
const unbounded = Number.MAX_SAFE_INTEGER;

function range(from: number | undefined, to: number | undefined, unit = ''): string | undefined {
  const low = from === undefined || from <= -unbounded ? undefined : formatNumber(from);
  const high = to === undefined || to >= unbounded ? undefined : formatNumber(to);
  const words = unit === '' ? '' : ` ${unit}`;
  if (low !== undefined && high !== undefined) return low === high ? `${low}${words}` : `${low} to ${high}${words}`;
  if (low !== undefined) return unit === '' || from !== 0 ? `at least ${low}${words}` : undefined;
  return high === undefined ? undefined : `up to ${high}${words}`;
}

/** Resolves references and merges combined schemas; of a choice, takes the one that is not null. */
function solid(description: ApiDescription, given: Schema): Schema {
  const schema = resolved(description, given);
  const { allOf, anyOf, oneOf, ...own } = schema;
  const choices = (anyOf ?? oneOf ?? []).filter((choice) => choice.type !== 'null');
  const parts = [...(allOf ?? []), ...(choices.length === 1 ? choices : [])].map((part) => solid(description, part));
  if (parts.length === 0) return own;
  return {
    ...Object.assign({}, ...parts),
    ...own,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), own.properties),
    required: [...parts.flatMap(({ required = [] }) => required), ...(own.required ?? [])],
  };
}

/** The item schema of a list, at any depth. */
function innermost(description: ApiDescription, schema: Schema): Schema {
  return schema.items === undefined ? schema : innermost(description, solid(description, schema.items));
}
