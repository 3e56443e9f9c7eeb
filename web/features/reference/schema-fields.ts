import { formatNumber } from '#shared/domain/number-text.ts';
import type { ApiDescription } from '#web/features/reference/api-description.ts';
import type { OperationParameter } from '#web/features/reference/parameters.ts';
import { type Schema, readSchema } from '#web/features/reference/schema.ts';

/** One field of an object, or the members of a list, as the reference shows it. */
export interface SchemaField {
  /** Differs from those of the other fields. */
  id: string;
  /** Beside named properties an object may have others of any name, and be one of several alternatives. */
  kind: 'property' | 'any-name' | 'alternative';
  name: string;
  required: boolean;
  deprecated: boolean;
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

/** What a body is for: a request leaves out what only responses have, and the other way round. */
export type Direction = 'request' | 'response';

/** The fields of an object, those of its members for a list, and those of each alternative. */
export function fieldsOf(
  description: ApiDescription,
  given: unknown,
  direction: Direction = 'response',
): SchemaField[] {
  return fieldsOfSchema(description, innermost(description, readSchema(description, given)), direction);
}

function fieldsOfSchema(description: ApiDescription, schema: Schema, direction: Direction): SchemaField[] {
  const isFor = (field: Schema): boolean => !(direction === 'request' ? field.readOnly : field.writeOnly);
  const named = [...schema.properties].flatMap(([name, property]) => {
    const field = readSchema(description, property);
    return isFor(field) ? [fieldOf(description, name, field, schema.required.has(name), direction)] : [];
  });
  const additional = isSchema(schema.additional)
    ? [
        {
          ...fieldOf(description, '', readSchema(description, schema.additional), false, direction),
          id: 'any-name',
          kind: 'any-name' as const,
        },
      ]
    : [];
  // Only alternatives with fields of their own are worth opening; the type names the others.
  const alternatives = schema.choices.flatMap((choice, index) => {
    const each = readSchema(description, choice);
    const field = fieldOf(description, '', each, false, direction);
    const value = schema.discriminator?.valueOf(choice);
    const told = value === undefined ? [] : [`${schema.discriminator?.property} ${JSON.stringify(value)}`];
    return field.hasFields
      ? [
          {
            ...field,
            id: `alternative ${index}`,
            kind: 'alternative' as const,
            type: each.name ?? field.type,
            limits: told,
          },
        ]
      : [];
  });
  return [...named, ...additional, ...alternatives];
}

/** A parameter as a field: a header or a part of the query. */
export function fieldOfParameter(description: ApiDescription, parameter: OperationParameter): SchemaField {
  const { name, required, deprecated, schema } = parameter;
  const field = fieldOf(description, name, schema, required, 'response');
  return {
    ...field,
    id: `${parameter.in} ${name}`,
    deprecated: deprecated || field.deprecated,
    description: parameter.description ?? field.description,
  };
}

function isSchema(additional: unknown): boolean {
  return typeof additional === 'object' && additional !== null && Object.keys(additional).length > 0;
}

function fieldOf(
  description: ApiDescription,
  name: string,
  field: Schema,
  required: boolean,
  direction: Direction,
): SchemaField {
  const inner = innermost(description, field);
  return {
    id: `property ${name}`,
    kind: 'property',
    name,
    required,
    deprecated: field.deprecated,
    type: typeText(description, field),
    limits: limitsOf(field),
    values: (inner.values ?? []).map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
    description: field.description ?? inner.description ?? '',
    fields: () => fieldsOfSchema(description, inner, direction),
    hasFields:
      inner.properties.size > 0 ||
      isSchema(inner.additional) ||
      inner.choices.some((choice) => mayHaveFields(description, choice)),
  };
}

function mayHaveFields(description: ApiDescription, choice: unknown): boolean {
  const inner = innermost(description, readSchema(description, choice));
  return inner.properties.size > 0 || inner.choices.length > 0;
}

/** Types inside types are named to this depth. */
const maxDepth = 4;
/** More alternatives are counted instead of named. */
const maxChoices = 4;

/** "array of string", "number or null": in words, as the reader may not know JSON Schema. */
export function typeText(description: ApiDescription, schema: Schema, depth = 0): string {
  const { choices, types, values } = schema;
  if (values?.length === 1 && values[0] !== null) return JSON.stringify(values[0]);
  if (depth > maxDepth) return types[0] ?? 'any';
  const named = types.map((type) => {
    if (type !== 'array') return type;
    return `array of ${typeText(description, readSchema(description, schema.items ?? {}), depth + 1)}`;
  });
  if (choices.length === 0) return named.length === 0 ? 'any' : named.join(' or ');
  const others = choices.map((choice) => choiceText(description, choice, depth + 1));
  const different = [...new Set(others)];
  const shown = different.length > maxChoices ? [`one of ${different.length} types`] : different;
  return [...shown, ...named.filter((type) => type === 'null')].join(' or ');
}

/** By depth. */
const choiceTexts = new WeakMap<ApiDescription, Map<unknown, string>[]>();

/** Remembered, as choices have the same choices again and again. */
function choiceText(description: ApiDescription, choice: unknown, depth: number): string {
  const byDepth =
    choiceTexts.get(description) ?? Array.from({ length: maxDepth + 2 }, () => new Map<unknown, string>());
  choiceTexts.set(description, byDepth);
  const before = byDepth[depth]?.get(choice);
  if (before !== undefined) return before;
  const each = readSchema(description, choice);
  const text = typeText(description, each, depth);
  const named = text === 'object' || text === 'any' ? (each.name ?? text) : text;
  byDepth[depth]?.set(choice, named);
  return named;
}

/** Length, range, pattern and default of a value, each as a short text. */
export function limitsOf(schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems, pattern, format } = schema;
  return [
    format,
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    range(schema.minimum, schema.maximum),
    schema.exclusiveMinimum === undefined ? undefined : `more than ${formatNumber(schema.exclusiveMinimum)}`,
    schema.exclusiveMaximum === undefined ? undefined : `less than ${formatNumber(schema.exclusiveMaximum)}`,
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

/** The member schema of a list, at any depth. */
function innermost(description: ApiDescription, schema: Schema, depth = 0): Schema {
  if (schema.items === undefined || depth > maxDepth) return schema;
  return innermost(description, readSchema(description, schema.items), depth + 1);
}
